import { confineProcess } from '../../confined/confine-process.ts'
import type { ReplayRequest } from './serve-replay.ts'

// The process of a dry replay: node main.ts REQUEST, with an IPC channel. It can read files, and change nothing unless
// the user allows the network. The command writes the files in its flags.
const request: ReplayRequest = JSON.parse(process.argv[2] ?? '{}')
const refusals = confineProcess(request.network)
const { serveReplay } = await import('./serve-replay.ts')
await serveReplay(request, process, refusals)
