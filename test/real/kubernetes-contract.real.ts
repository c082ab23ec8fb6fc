import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../shared/clock/clock.ts'
import type { ClusterAccess } from '../../shared/kubernetes/kubernetes.ts'
import {
  createKubernetes,
  type HttpTransport,
  httpTransport,
  multiplexedTransport,
} from '../../shared/kubernetes/kubernetes.ts'
import { kubernetesContract } from '../../shared/kubernetes/testing/contract-suite.ts'
import { startKubeApiServer } from './kube-apiserver.ts'
import { describeWith } from './with-part.ts'

describeWith('kube', 'with kube-apiserver', programs => {
  const transports: readonly [string, (access: ClusterAccess) => HttpTransport][] = [
    ['HTTP/1.1', access => httpTransport({ access })],
    ['HTTP/2', access => multiplexedTransport({ access, clock: systemClock })],
  ]
  for (const [protocol, connect] of transports) {
    kubernetesContract(`TLS and ${protocol} to kube-apiserver`, async () => {
      const server = await startKubeApiServer(programs)
      const transport = connect(server.access)
      return {
        kubernetes: createKubernetes({ transport: transport.send, clock: systemClock }),
        passTime: milliseconds => sleep(milliseconds),
        forgetHistory: server.forgetHistory,
        close: async () => {
          transport.close()
          await server.close()
        },
      }
    })
  }
})
