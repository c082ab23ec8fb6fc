import { confineProcess } from '../../confined/confine-process.ts'

// The process of a dry replay: node main.ts PATHS-AND-OPTIONS, with an IPC channel. It can read files and change
// nothing. The command writes the files in its flags.
const refusals = confineProcess()
const { serveReplay } = await import('./serve-replay.ts')
await serveReplay(JSON.parse(process.argv[2] ?? '{}'), process, refusals)
