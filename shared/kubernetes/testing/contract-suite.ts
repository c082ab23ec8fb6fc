import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import { applyContract } from './contract-apply.ts'
import {
  type ContractContext,
  type ContractSubject,
  installContractKinds,
  namespaces,
} from './contract-fixtures.ts'
import { ratchetingContract } from './contract-ratcheting.ts'
import { readContract } from './contract-reads.ts'
import { scaleContract } from './contract-scale.ts'
import { watchContract } from './contract-watches.ts'
import { writeContract } from './contract-writes.ts'

/**
 * The promises of the Kubernetes port as tests for every implementation. The suite creates its kinds and namespaces, so
 * that it can share a server with others.
 *
 * @example
 * kubernetesContract('kube-apiserver', async () => ({ kubernetes, passTime: sleep, close }))
 */
export const kubernetesContract = (name: string, makeSubject: () => Promise<ContractSubject>): void => {
  describe(`the Kubernetes port over ${name}`, () => {
    let subject: ContractSubject | undefined
    const context: ContractContext = {
      subject: () => {
        if (!subject) throw new Error('the subject is made before the first case')
        return subject
      },
      namespace: async () => {
        const metadata = { name: `contract-${randomUUID().slice(0, 13)}` }
        await context
          .subject()
          .kubernetes.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata })
        return metadata.name
      },
    }

    beforeAll(async () => {
      subject = await makeSubject()
      const { kubernetes, passTime } = subject
      await installContractKinds(kubernetes, () => passTime(100))
    })
    afterAll(() => subject?.close())

    readContract(context)
    writeContract(context)
    applyContract(context)
    scaleContract(context)
    watchContract(context)
    ratchetingContract(context)
  })
}
