import { afterAll, beforeAll } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import type { HttpTransport } from '../../shared/kubernetes/http-transport.ts'
import { multiplexedTransport } from '../../shared/kubernetes/multiplexed-transport.ts'
import { apiServerFaultSuite } from '../bridge/faults/api-server-fault-suite.ts'
import { shootObjects } from '../bridge/harness.ts'
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
})
