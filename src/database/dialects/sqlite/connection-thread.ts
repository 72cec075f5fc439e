/** A SQLite connection in a thread of this process. */
import { shrinkWhenIdle } from '../../../util/shrink-when-idle.ts'
import { serveThread } from '../../../worker/thread-server.ts'
import { describeError } from './open-connection.ts'
import { serveConnection } from './serve-connection.ts'

serveThread(serveConnection, describeError)
shrinkWhenIdle()
