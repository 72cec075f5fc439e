import { serveThread } from '../../src/worker/thread-server.ts'
import { oddCalls } from './odd-worker-calls.ts'

serveThread(oddCalls, String)
