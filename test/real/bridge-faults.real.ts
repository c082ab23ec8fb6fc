import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { HttpTransport } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes, multiplexedTransport } from '../../shared/kubernetes/kubernetes.ts'
import { apiServerFaultSuite } from '../bridge/faults/api-server-fault-suite.ts'
import { fastClock } from '../bridge/faults/fast-clock.ts'
import { record, shootObjects } from '../bridge/harness.ts'
import { startRecordingBridge } from '../bridge/recording-bridge.ts'
import { define } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

describeWith('kube', 'every fault of an API server, in front of kube-apiserver', programs => {
  let cluster: RealCluster
  let transport: HttpTransport
  beforeAll(async () => {
    cluster = await startRealCluster(programs)
    await define(cluster.kubernetes, allCrds())
    await cluster.create(shootObjects.map(([, object]) => object))
    transport = multiplexedTransport({ access: cluster.server.access, clock: systemClock })
  })
  afterAll(async () => {
    transport?.close()
    await cluster?.close()
  })

  apiServerFaultSuite('kube-apiserver', ['h2'], async () => ({
    transport: transport.send,
    kubernetes: cluster.kubernetes,
  }))

  test.each([1_000, 4_000])(
    'a bridge loses and repeats nothing when the process is stopped for %i ms',
    async ms => {
      // 20 and 80 s of the bridge's clock: below and above its limits.
      const clock = fastClock(20)
      const own = multiplexedTransport({ access: cluster.server.access, clock })
      const bridge = startRecordingBridge(createKubernetes({ transport: own.send, clock }), clock)
      const create = (name: string) => cluster.kubernetes.create(kinds.DNSRecord.resource, record(name))
      const prefix = `stopped-${ms}`
      const names = () => bridge.events.map(({ name }) => name).filter(name => name.startsWith(prefix))
      try {
        await create(`${prefix}-before`)
        await expect.poll(names).toEqual([`${prefix}-before`])
        cluster.server.freeze()
        const meanwhile = create(`${prefix}-meanwhile`)
        await systemClock.sleep(ms)
        cluster.server.thaw()
        await meanwhile
        await create(`${prefix}-after`)
        await expect.poll(names).toEqual([`${prefix}-before`, `${prefix}-meanwhile`, `${prefix}-after`])
        const ids = bridge.events.filter(({ name }) => name.startsWith(prefix)).map(({ id }) => id)
        expect(new Set(ids).size).toBe(3)
      } finally {
        cluster.server.thaw()
        await bridge.stop()
        own.close()
        clock.stop()
      }
    },
  )
})
