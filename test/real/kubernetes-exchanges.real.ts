import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import type { Transport } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes, httpTransport } from '../../shared/kubernetes/kubernetes.ts'
import { installContractKinds, namespaces } from '../../shared/kubernetes/testing/contract-fixtures.ts'
import { startKubeApiServer } from './kube-apiserver.ts'
import { replyTo } from './kubernetes/exchange.ts'
import { namespace } from './kubernetes/exchanges/requests.ts'
import { exchanges } from './kubernetes/exchanges.ts'
import { describeWith } from './with-part.ts'

const prepare = async (transport: Transport) => {
  const kubernetes = createKubernetes({ transport, clock: systemClock })
  await installContractKinds(kubernetes, () => systemClock.sleep(100))
  await kubernetes.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
}

describeWith('kube', 'the API server of the sandbox and kube-apiserver, asked the same', programs => {
  const undo: (() => unknown)[] = []
  let real: Transport
  let sandbox: Transport

  beforeAll(async () => {
    const server = await startKubeApiServer(programs)
    const transport = httpTransport({ access: server.access })
    undo.push(server.close, transport.close)
    real = transport.send
    const imitation = createApiServer({ clock: systemClock, deletionProtection: false })
    undo.push(imitation.close)
    sandbox = imitation.transport
    await Promise.all([prepare(real), prepare(sandbox)])
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  test('titles are unique', () => {
    const titles = exchanges.map(({ method, title }) => `${method} ${title}`)
    expect(titles).toEqual([...new Set(titles)])
  })

  test.each(exchanges)('$method $title', async exchange => {
    const [expected, seen] = await Promise.all([replyTo(real, exchange), replyTo(sandbox, exchange)])
    expect(seen).toEqual(expected)
  })
})
