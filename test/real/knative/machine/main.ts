import { createLog } from '../../../../shared/log/log.ts'
import { networkPart } from '../network/network-part.ts'
import { startMachine } from './start-machine.ts'

/** The inner side of the machine: the first process of its namespaces. Argument: the folder of the sockets. */
const [, , folder = ''] = process.argv
await startMachine({ folder, log: createLog({ level: 'info', name: 'machine' }), parts: [networkPart] })
