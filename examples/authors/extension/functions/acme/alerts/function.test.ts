import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createSteppedSeed,
  functionPromises,
  objectCloud,
  readExample,
  type SteppedSeed,
} from '@trellis-gardener/trellis/testing'
import { definition } from './function.ts'

const example = await readExample(new URL('example.yaml', import.meta.url))
const namespace = 'shoot--garden--rose'
const isSecret = ({ kind }: { readonly kind: string }) => kind === 'Secret'
const withoutSecrets = example.beside.filter(one => !isSecret(one))

const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
const managedResources = {
  ...secrets,
  group: 'resources.gardener.cloud',
  version: 'v1alpha1',
  plural: 'managedresources',
}

/** The Secret that the program mounts. */
const mountedSecret = async ({ kubernetes }: SteppedSeed) => {
  const found = await kubernetes.get(managedResources, { namespace, name: 'acme-alerts' })
  const [{ name }] = Object(found?.spec).secretRefs
  const manifests = Object((await kubernetes.get(secrets, { namespace, name }))?.data)['data.yaml']
  return /"?secretName"?: ?"?([\w-]+)/.exec(Buffer.from(manifests, 'base64').toString())?.[1]
}

test('the Secret survives a migration between two seeds', async t => {
  const source = createSteppedSeed({ definition, objects: example.beside })
  t.after(() => source.close())
  const { resources, lastOperation } = Object(await source.apply(example.object)).status
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.equal(await mountedSecret(source), 'ref-rose-mail')

  // gardenlet stores the status and each object that it lists, and later creates them in the other seed.
  const listed = await Promise.all(
    resources.map(({ resourceRef: { name } }: { resourceRef: { name: string } }) =>
      source.kubernetes.get(secrets, { namespace, name }),
    ),
  )
  const migrated = Object(await source.request(example.object, 'migrate'))
  assert.deepEqual(
    [migrated.status.lastOperation.type, migrated.status.lastOperation.state],
    ['Migrate', 'Succeeded'],
  )
  assert.equal(await source.kubernetes.get(managedResources, { namespace, name: 'acme-alerts' }), undefined)

  const moved = listed.map(({ metadata: { name }, ...rest }) => ({ ...rest, metadata: { name, namespace } }))
  const destination = createSteppedSeed({ definition, objects: [...withoutSecrets, ...moved] })
  t.after(() => destination.close())
  const extension = destination.object({ namespace, name: 'acme-alerts' })
  await extension.create({ ...example.object, status: { resources } }, 'restore')
  await extension.run()
  const { status } = Object(await extension.live())
  assert.deepEqual([status.lastOperation.type, status.lastOperation.state], ['Restore', 'Succeeded'])
  assert.deepEqual(status.resources, resources)
  assert.equal(await mountedSecret(destination), 'ref-rose-mail')
})

test('a missing Secret is a configuration problem with namespace and name', async t => {
  const seed = createSteppedSeed({ definition, objects: withoutSecrets })
  t.after(() => seed.close())
  const { lastError } = Object(await seed.apply(example.object)).status
  assert.deepEqual(lastError.codes, ['ERR_CONFIGURATION_PROBLEM'])
  assert.match(lastError.description, /Secret garden-garden\/rose-mail of spec\.resources "mail"/)
})

test('a misspelled field is reported with the right one', async t => {
  const seed = createSteppedSeed({ definition, objects: example.beside })
  t.after(() => seed.close())
  const { mailSecret: mailSecert, ...providerConfig } = Object(Object(example.object.spec).providerConfig)
  const spec = {
    ...Object(example.object.spec),
    providerConfig: { ...providerConfig, mailSecret: 'mail', mailSecert },
  }
  const { lastError } = Object(await seed.apply({ ...example.object, spec })).status
  assert.match(lastError.description, /unknown field "mailSecert" \(did you mean mailSecret\?\)/)
})

const cloud = () => objectCloud({ resources: [managedResources] })
for (const { promise, hold } of functionPromises({
  definition,
  example,
  cloud,
  made: ['managedresources/acme-alerts'],
  marksOwner: false,
}))
  test(promise, hold)
