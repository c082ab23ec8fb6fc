import { confineProcess } from '../../confined/confine-process.ts'
import type { PlanProcessInput } from './messages.ts'

// The process that runs the steps of functions for a plan: node main.ts INPUT, with an IPC channel. It can read files,
// and change nothing unless the user allows the network. The command reads from the API server on its behalf.
const input: PlanProcessInput = JSON.parse(process.argv[2] ?? '{}')
const refusals = confineProcess(input.network)
const { servePlans } = await import('./serve-plans.ts')
await servePlans(input, process, refusals)
