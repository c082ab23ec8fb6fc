import { confineProcess } from '../../confined/confine-process.ts'

// The process that runs the steps of functions for a plan: node main.ts FOLDERS, with an IPC channel. It can read files and
// change nothing. The command reads from the API server on its behalf.
const refusals = confineProcess()
const { servePlans } = await import('./serve-plans.ts')
await servePlans(JSON.parse(process.argv[2] ?? '[]'), process, refusals)
