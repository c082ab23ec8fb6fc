import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasKubectl, type Kubectl, openKubectl } from '../../sandbox/kubernetes/testing/kubectl.ts'
import { kubectlCases } from '../../sandbox/kubernetes/testing/kubectl-cases.ts'
import { type RunningApiServer, startKubeApiServer } from './kube-apiserver.ts'
import { describeWith } from './with-part.ts'

describeWith('kube', 'kubectl prints with kube-apiserver what it prints with the sandbox', programs => {
  describe.skipIf(!hasKubectl())('(needs kubectl on the PATH)', () => {
    let server: RunningApiServer
    let kubectl: Kubectl
    beforeAll(async () => {
      server = await startKubeApiServer(programs)
      kubectl = await openKubectl(await server.kubeconfig())
    })
    afterAll(async () => {
      await kubectl?.close()
      await server?.close()
    })

    test.each(kubectlCases)('$what', async one => {
      expect(await kubectl.printed(one)).toEqual([...one.prints].sort())
    })
  })
})
