import { createLog } from '../../../../shared/log/log.ts'
import { startMachine } from './start-machine.ts'

/** The inner side of the machine: the first process of its namespaces. Argument: the folder of the sockets. */
const [, , folder = ''] = process.argv
const log = createLog({ level: 'info', name: 'machine' })
// The end of this process would end all Pods.
process.on('unhandledRejection', error => log.error('unexpected failure', { error }))
await startMachine({ folder, log, parts: [] })
