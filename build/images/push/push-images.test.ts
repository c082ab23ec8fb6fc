import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copyBase } from '../layout/copy-base.ts'
import { bytesOf, type Descriptor, mediaTypes } from '../layout/oci.ts'
import { openLayout } from '../layout/open-layout.ts'
import { type MemoryRegistry, startMemoryRegistry } from '../registry/testing/memory-registry.ts'
import { pushImages } from './push-images.ts'

let folder = ''
let open: { close(): Promise<void> }[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-push-'))
  open = []
})
afterEach(async () => {
  for (const each of open) await each.close()
  await rm(folder, { recursive: true, force: true })
})

const registryOf = async (...options: Parameters<typeof startMemoryRegistry>): Promise<MemoryRegistry> => {
  const registry = await startMemoryRegistry(...options)
  open.push(registry)
  return registry
}

/** Writes an image with one layer into the layout. */
const imageIn = async (name: string): Promise<Descriptor> => {
  const layout = openLayout(join(folder, 'images'))
  const layer = await layout.writeBlob(Buffer.from(name), mediaTypes.layer)
  const config = await layout.writeBlob(
    bytesOf({ architecture: 'amd64', os: 'linux', rootfs: { type: 'layers', diff_ids: [] } }),
    mediaTypes.config,
  )
  const manifest = { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers: [layer] }
  const written = await layout.writeBlob(bytesOf(manifest), mediaTypes.manifest)
  await layout.tag(name, written)
  return written
}

const push = (host: string, digests: Readonly<Record<string, string>>, plainHttp = true) =>
  pushImages({
    layout: join(folder, 'images'),
    registry: `${host}/acme`,
    tag: '1.2.3',
    digests,
    plainHttp,
    environment: { DOCKER_CONFIG: folder },
  })

const login = (host: string, entry: object) =>
  writeFile(join(folder, 'config.json'), JSON.stringify({ auths: { [host]: entry } }))

const user = { user: 'robot', password: 'pass:word' }
const auth = btoa(`${user.user}:${user.password}`)

test.each(['basic', 'bearer'] as const)(
  'a pushed image is read back byte for byte, with the credentials of docker login (%s)',
  async scheme => {
    const registry = await registryOf({ auth: { scheme, ...user } })
    await login(registry.host, { auth })
    const { digest } = await imageIn('bridge')
    await push(registry.host, { bridge: digest })
    const copied = openLayout(join(folder, 'copied'))
    await copyBase(copied, {
      base: `${registry.host}/acme/bridge:1.2.3`,
      platform: 'linux/amd64',
      plainHttp: true,
      environment: { DOCKER_CONFIG: folder },
    })
    const original = await openLayout(join(folder, 'images')).readManifest('bridge')
    expect(await copied.readManifest('base')).toEqual(original)
    const [layer] = original.layers
    expect(String(await copied.readBlob(layer?.digest ?? ''))).toBe('bridge')
  },
)

test('a layer that the registry has is not sent again', async () => {
  const registry = await registryOf()
  const { digest } = await imageIn('bridge')
  await push(registry.host, { bridge: digest })
  const before = registry.authorizations.length
  await push(registry.host, { bridge: digest })
  // Two reads of blobs, and the manifest.
  expect(registry.authorizations.length - before).toBe(3)
})

test('an index is pushed after its images', async () => {
  const registry = await registryOf()
  const layout = openLayout(join(folder, 'images'))
  const manifests = [await imageIn('one'), await imageIn('two')]
  const index = await layout.writeBlob(
    bytesOf({ schemaVersion: 2, mediaType: mediaTypes.index, manifests }),
    mediaTypes.index,
  )
  await push(registry.host, { bridge: index.digest })
  const names = [...registry.stored.keys()].filter(path => path.includes('/manifests/'))
  expect(names.map(path => path.split('/').at(-1))).toEqual([...manifests.map(one => one.digest), '1.2.3'])
})

describe('one line names the cause and what to do if', () => {
  test.each([
    [401, 'it requires other credentials: docker login 127.0.0.1:'],
    [403, 'these credentials may not write there. Request the permission to push'],
    [404, 'the repository does not exist, and the registry does not create it'],
    [413, 'it refuses images of this size'],
    [429, 'it throttles requests. Wait and try again'],
    [503, 'it is broken or unavailable. Try again later'],
  ])('the registry answers %i', async (status, todo) => {
    const { host } = await refusing(status, '{"errors":[\n{"code":"DENIED"}]}')
    const failure = await failureOf(push(host, { bridge: (await imageIn('bridge')).digest }))
    expect(failure).toContain(`${host}/acme/bridge:1.2.3: ${todo}`)
    expect(failure).not.toContain('\n')
  })

  test('it wants other credentials than those of docker login', async () => {
    const { host } = await registryOf({ auth: { scheme: 'bearer', ...user } })
    await login(host, { auth: btoa('robot:wrong') })
    const failure = await failureOf(push(host, { bridge: (await imageIn('bridge')).digest }))
    expect(failure).toContain(`it requires other credentials: docker login ${host} (HTTP 401)`)
  })

  test('nothing listens there', async () => {
    const { host, close } = await startMemoryRegistry()
    await close()
    const failure = await failureOf(push(host, { bridge: (await imageIn('bridge')).digest }))
    expect(failure).toMatch(/it cannot be reached\. Check --registry .*ECONNREFUSED/)
  })

  test('it has no TLS', async () => {
    const { host } = await registryOf()
    const failure = await failureOf(push(host, { bridge: (await imageIn('bridge')).digest }, false))
    expect(failure).toContain('it has no TLS. Use --plain-http for your own registry')
  })
})

const failureOf = (pushed: Promise<void>): Promise<string> =>
  pushed.then(
    () => 'was pushed',
    (error: Error) => error.message,
  )

/** A registry that gives every request the same answer. */
const refusing = async (status: number, body: string): Promise<{ readonly host: string }> => {
  const server = createServer((_, response) => {
    response.writeHead(status, status === 401 ? { 'www-authenticate': 'Basic realm="images"' } : {}).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push({
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  })
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}
