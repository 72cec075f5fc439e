import { serveProcess } from '../../src/worker/process-server.ts'
import { oddCalls } from './odd-worker-calls.ts'

serveProcess(oddCalls, String)
