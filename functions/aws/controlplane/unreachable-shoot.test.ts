import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { generate } from 'selfsigned'
import { expect, onTestFinished, test } from 'vitest'
import { newSeed } from '../../../shared/control-plane/testing/seed.ts'
import { awsControlPlane } from './aws-control-plane.ts'
import { imageTable } from './images/image-table.ts'
import { type Asked, clusterOf, controlPlaneOf } from './testing/control-plane.ts'

const token = 'planted-token-of-the-shoot'
const asked: Asked = { networking: { providerConfig: { overlay: { enabled: false } } } }
const annotation = 'aws.provider.extensions.gardener.cloud/calico-cleanup-completed'

/** Returns the port. Open connections are cut off when the test ends. */
const listening = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise(resolve => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

const http = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listening(createHttpServer(listener))}`
const status = (code: number, reason: string): RequestListener => {
  return (_, response) =>
    response
      .writeHead(code, { 'content-type': 'application/json' })
      .end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', code, reason, message: reason }))
}
const certificateOf127 = () =>
  generate([{ name: 'commonName', value: 'kube-apiserver' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })

const kubeconfigOf = (cluster: object, user: object = { token }): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    clusters: [{ name: 'a', cluster }],
    users: [{ name: 'a', user }],
  })

const servers: Readonly<Record<string, () => Promise<string>>> = {
  'refuses connections': async () => {
    const server = createTcpServer()
    const port = await listening(server)
    server.close()
    return kubeconfigOf({ server: `http://127.0.0.1:${port}` })
  },
  'does not know the token': async () => kubeconfigOf({ server: await http(status(401, 'Unauthorized')) }),
  'forbids it': async () => kubeconfigOf({ server: await http(status(403, 'Forbidden')) }),
  'is not ready': async () => kubeconfigOf({ server: await http(status(503, 'ServiceUnavailable')) }),
  'takes requests and never answers': async () => kubeconfigOf({ server: await http(() => {}) }),
  'begins an answer and never ends it': async () =>
    kubeconfigOf({
      server: await http((_, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"kind":"NodeList","items":['),
      ),
    }),
  'takes connections and says nothing of TLS': async () =>
    kubeconfigOf({ server: `https://127.0.0.1:${await listening(createTcpServer())}` }),
  'has a certificate of another CA': async () => {
    const { cert, private: key } = await certificateOf127()
    const port = await listening(createHttpsServer({ cert, key }))
    const { cert: other } = await certificateOf127()
    const ca = Buffer.from(other).toString('base64')
    return kubeconfigOf({ server: `https://127.0.0.1:${port}`, 'certificate-authority-data': ca })
  },
  'is reached by a key that is none': async () => {
    const { cert, private: key } = await certificateOf127()
    const port = await listening(createHttpsServer({ cert, key }))
    const data = Buffer.from(token).toString('base64')
    return kubeconfigOf(
      { server: `https://127.0.0.1:${port}` },
      { 'client-certificate-data': data, 'client-key-data': data },
    )
  },
  'is a login page': async () =>
    kubeconfigOf({
      server: await http((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
      ),
    }),
  'sends elsewhere': async () =>
    kubeconfigOf({
      server: await http((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()),
    }),
}

const listing = 'could not list nodes in shoot cluster: '
const silent = 'cleaning up the shoot: no answer in 20 s'

/** The beginning of the error text that users read. */
const texts: Readonly<Record<string, string>> = {
  'refuses connections': `${listing}GET /api/v1/nodes?limit=100: connect ECONNREFUSED 127.0.0.1:`,
  'does not know the token': `${listing}Unauthorized`,
  'forbids it': `${listing}Forbidden`,
  'is not ready': `${listing}ServiceUnavailable`,
  'takes requests and never answers': silent,
  'begins an answer and never ends it': silent,
  'takes connections and says nothing of TLS': silent,
  'has a certificate of another CA': `${listing}GET /api/v1/nodes?limit=100: self-signed certificate`,
  'is reached by a key that is none': `${listing}error:0480006C:PEM routines::no start line`,
  'is a login page': `${listing}the API server sent an incomplete answer`,
  'sends elsewhere': `${listing}the API server answered 302`,
}

test.each(Object.entries(texts))(
  'a shoot whose API server %s: everything else is done, and the error reports it in time',
  async (name, text) => {
    const { openShoot } = await import('../../../shared/control-plane/clean-up/open-shoot.ts')
    const kubeconfig = (await servers[name]?.()) ?? ''
    const seed = await newSeed({
      namespace: 'shoot--foo--bar',
      spec: controlPlaneOf(asked).spec,
      shoot: clusterOf(asked).spec.shoot,
      provider: awsControlPlane(imageTable),
      openShoot,
    })
    await seed.makeSecret('gardener-internal', { data: { kubeconfig: btoa(kubeconfig) } })
    const begun = seed.clock.now()
    let isOver = false
    const step = seed.step().finally(() => {
      isOver = true
    })
    // Advances the clock while requests are under way and keys are created.
    while (!isOver) {
      await new Promise(resolve => setTimeout(resolve, 5))
      if ((await seed.managedResources()).length === 5) await seed.clock.advance(100)
    }
    await step
    const { lastError, lastOperation } = (await seed.live()).status ?? {}
    expect(lastOperation?.state).toBe('Error')
    expect(lastError?.description?.startsWith(`Error reconciling ControlPlane: ${text}`)).toBe(true)
    expect(lastError?.description).toMatch(/; everything else of the ControlPlane is reconciled$/)
    expect(seed.clock.now() - begun).toBeLessThanOrEqual(21_000)
    expect((await seed.live()).metadata.annotations).not.toHaveProperty([annotation])
    expect(JSON.stringify([lastError, seed.lines])).not.toContain(token)
  },
)
