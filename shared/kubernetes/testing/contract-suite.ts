import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Kubernetes } from '../port.ts'
import { installContractKinds, namespaces } from './contract-fixtures.ts'
import { ratchetingContract } from './contract-ratcheting.ts'
import { readContract } from './contract-reads.ts'
import { watchContract } from './contract-watches.ts'
import { writeContract } from './contract-writes.ts'

/** An API server to put to the test. */
export interface ContractSubject {
  readonly kubernetes: Kubernetes
  /** Lets so many milliseconds go by on the server's clock. */
  passTime(milliseconds: number): Promise<void>
  /** Makes every version up to now too old to start from (etcd: compaction). Absent: cases that need it are skipped. */
  forgetHistory?(): Promise<void>
  close(): Promise<void>
}

/** What the cases of the suite share. */
export interface ContractContext {
  subject(): ContractSubject
  /** A new namespace of its own for a case. */
  namespace(): Promise<string>
}

/**
 * The promises of the Kubernetes port, as tests. Every implementation runs them; it defines its own kinds and
 * namespaces, so that it can share a server with others.
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
    }, 60_000)
    afterAll(() => subject?.close())

    readContract(context)
    writeContract(context)
    watchContract(context)
    ratchetingContract(context)
  })
}
