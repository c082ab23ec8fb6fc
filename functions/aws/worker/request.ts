import type { Worker } from '../../../shared/contract/objects.ts'

export type WorkerPool = Worker['spec']['pools'][number]
