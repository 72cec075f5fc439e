/** A SQLite connection in a separate process, which can be ended in the middle of a statement. */
import { constants, setPriority } from 'node:os'
import { serveProcess } from '../../../worker/process-server.ts'
import { describeError } from './open-connection.ts'
import { serveConnection } from './serve-connection.ts'

const { PRIORITY_BELOW_NORMAL: belowNormal } = constants.priority

// Statements over views may compute for long: the gateway and its threads take precedence for CPU time.
setPriority(belowNormal)

serveProcess(serveConnection, describeError)
