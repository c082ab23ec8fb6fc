import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { allCrds } from '../../../shared/contract/crds/crd-of.ts'
import { createKubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { shootObjects } from '../harness.ts'
import { apiServerFaultSuite } from './api-server-fault-suite.ts'

/** Created once for all seeds, because it takes longer than most steps. */
const crds = allCrds()

apiServerFaultSuite('the API server of the sandbox', ['h2', 'http/1.1'], async clock => {
  const server = createApiServer({ clock, objects: crds })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  for (const [resource, object] of shootObjects) await kubernetes.create(resource, object)
  return { transport: server.transport, kubernetes, close: server.close }
})
