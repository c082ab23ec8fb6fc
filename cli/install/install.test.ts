import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { packageVersion } from '../../build/project/package-version.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { type RenderOptions, render } from './render.ts'

const available = { functions: await findFunctions(), webhooks: await findWebhooks() }

const options = (given: Partial<RenderOptions> = {}): RenderOptions => ({
  render: 'manifests',
  version: '1.2.3',
  providers: [],
  functions: [],
  namespace: 'trellis',
  registry: 'registry.example.com/trellis',
  legacy: false,
  registration: {},
  ...given,
})

interface Rendered {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly [key: string]: unknown
}

const objectsOf = async (given: Partial<RenderOptions>): Promise<readonly Rendered[]> => {
  const { content } = await render(available, options(given))
  return parseAllDocuments(String(content)).map(document => document.toJS() as Rendered)
}

/** A chart in a registry. Its files are not made, which takes seconds. */
const chart = { kind: 'oci', ref: 'registry.example/trellis:1.2.3' } as const
const manifest = { functions: ['aws/dnsrecord'], seed: 'eu-1' }
const namesOf = (objects: readonly Rendered[], kind: string): readonly string[] =>
  objects.filter(object => object.kind === kind).map(({ metadata }) => metadata.name)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-install-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const fileWith = async (text: string): Promise<string> => {
  await writeFile(join(folder, 'values.yaml'), text)
  return join(folder, 'values.yaml')
}

test('a primary function is not registered as a secondary one', async () => {
  const given = options({ render: 'registration', functions: ['aws/dnsrecord'], chart, primary: false })
  await expect(render(available, given)).rejects.toThrow(
    /^aws-dnsrecord is a primary function: .*Define it with role: 'secondary' \(docs\/secondary\.md\)/,
  )
})

describe('manifests', () => {
  test('they install the chosen items into a separate namespace, and nothing else', async () => {
    const objects = await objectsOf({ ...manifest, namespace: 'dns' })
    expect(namesOf(objects, 'Namespace')).toEqual(['dns'])
    expect(namesOf(objects, 'Trigger')).toEqual(['aws-dnsrecord'])
    expect(namesOf(objects, 'Deployment')).toEqual(['bridge'])
    expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(new Set([undefined, 'dns']))
    expect(namesOf(objects, 'ClusterRole')).toContain(
      'extensions.gardener.cloud:trellis-aws-dnsrecord:bridge',
    )
  })

  test('they have the version of the library, also for a project with its own version', async () => {
    const objects = await objectsOf({ ...manifest, compact: true })
    const versions = objects.flatMap(({ metadata }) => metadata.annotations?.[annotations.version] ?? [])
    expect(new Set(versions)).toEqual(new Set([await packageVersion()]))
    expect(versions).toHaveLength(2)
  })

  test('they renew no heartbeat, because they include no ControllerRegistration', async () => {
    expect((await render(available, options(manifest))).content).not.toContain('TRELLIS_EXTENSIONS')
    const values = await fileWith('extensions: [provider-aws/aws-route53=elsewhere]')
    expect((await render(available, options({ ...manifest, values }))).content).toContain(
      'value: provider-aws/aws-route53=elsewhere',
    )
  })

  test('they install all functions of a provider, and its webhooks', async () => {
    const objects = await objectsOf({ providers: ['aws'], seed: 'eu-1' })
    expect(namesOf(objects, 'Trigger')).toEqual(
      available.functions.map(({ name }) => name).filter(name => name.startsWith('aws-')),
    )
    expect(namesOf(objects, 'Deployment')).toEqual(['webhook', 'bridge'])
  })

  test('they use the images of a registry, overridden by those in a file', async () => {
    const images = join(folder, 'images.json')
    const pinned = `localhost:5000/bridge@sha256:${'a'.repeat(64)}`
    await writeFile(images, JSON.stringify({ bridge: pinned }))
    const objects = await objectsOf({ ...manifest, registry: 'registry.example/t', tag: 'v1', images })
    const text = JSON.stringify(objects)
    expect(text).toContain('"image":"registry.example/t/aws-dnsrecord:v1"')
    expect(text).toContain(`"image":"${pinned}"`)
  })

  test('they need no registry if every image has one', async () => {
    const images = join(folder, 'images.json')
    const of = (...programs: readonly string[]) =>
      writeFile(images, JSON.stringify(Object.fromEntries(programs.map(name => [name, `r.io/${name}:1`]))))
    const given = { ...manifest, registry: undefined, images }
    await of('bridge', 'aws-dnsrecord')
    expect(JSON.stringify(await objectsOf(given))).toContain('"image":"r.io/bridge:1"')
    await of('bridge')
    await expect(objectsOf(given)).rejects.toThrow(/give the registry .* Missing: aws-dnsrecord$/)
  })

  test('they use a file of values, overridden by flags', async () => {
    const values = await fileWith('seed: us-1\nlogLevel: debug\nbroker: { class: Kafka }\n')
    const text = JSON.stringify(await objectsOf({ ...manifest, values }))
    expect(text).toContain('{"name":"TRELLIS_SEED","value":"eu-1"}')
    expect(text).toContain('{"name":"TRELLIS_LOG_LEVEL","value":"debug"}')
    expect(text).toContain('"eventing.knative.dev/broker.class":"Kafka"')
  })
})

describe('brokers and small seeds', () => {
  test('a profile has the objects that its broker class needs', async () => {
    const objects = await objectsOf({ ...manifest, profile: 'rabbitmq' })
    expect(namesOf(objects, 'RabbitmqBrokerConfig')).toEqual(['broker'])
    expect(namesOf(objects, 'NetworkPolicy')).toContain('rabbitmq-broker')
    const [trigger] = objects.filter(({ kind }) => kind === 'Trigger')
    expect(JSON.stringify(trigger)).toContain('rabbitmq.eventing.knative.dev/parallelism')
  })

  test('a function with too few places for RabbitMQ is refused, with figures', async () => {
    const values = await fileWith('functions: { aws-dnsrecord: { maxScale: 1, concurrency: 20 } }\n')
    await expect(objectsOf({ ...manifest, values, profile: 'rabbitmq' })).rejects.toThrow(
      /^functions.aws-dnsrecord: 20 workers are too few for RabbitMQ: .* 5 rounds of 8.5 minutes, .* Allow 34 events at once/,
    )
    await objectsOf({ ...manifest, values, profile: 'kafka' })
  })

  test('a registration has the profile in its values', async () => {
    const given = {
      render: 'registration',
      providers: ['calico'],
      profile: 'kafka',
      compact: true,
      chart,
    } as const
    expect((await objectsOf(given))[0]).toMatchObject({
      helm: { values: { broker: { profile: 'kafka' }, compact: true } },
    })
  })

  test('compact renders one Service for a provider, with its image', async () => {
    const objects = await objectsOf({ providers: ['aws'], seed: 'a', compact: true })
    const services = objects.filter(({ apiVersion }) => apiVersion === 'serving.knative.dev/v1')
    expect(services.map(({ metadata }) => metadata.name)).toEqual(['aws-compact'])
    expect(JSON.stringify(services)).toContain('/aws-compact:1.2.3"')
    expect(namesOf(objects, 'Trigger').length).toBeGreaterThan(5)
  })

  test('a compact Service has only the permissions and settings of the chosen functions', async () => {
    const objects = await objectsOf({ functions: ['aws/dnsrecord'], seed: 'a', compact: true })
    const [role] = objects.filter(({ metadata }) => metadata.name.endsWith(':aws-compact'))
    expect(JSON.stringify(role)).toContain('dnsrecords')
    expect(JSON.stringify(role)).not.toContain('infrastructures')
  })
})

describe('the seed process', () => {
  test('it is one Deployment with the chosen functions, without an object of Knative', async () => {
    const objects = await objectsOf({ functions: ['aws/dnsrecord'], seed: 'a', mode: 'seed-process' })
    expect(namesOf(objects, 'Deployment')).toEqual(['bridge'])
    const text = JSON.stringify(objects)
    expect(text).not.toContain('knative.dev')
    expect(text).toContain('"image":"registry.example.com/trellis/seed:1.2.3"')
    expect(text).toContain('aws-dnsrecord')
    expect(text).not.toContain('aws-infrastructure')
  })

  test('a registration has the mode in its values', async () => {
    const given = { render: 'registration', providers: ['calico'], mode: 'seed-process', chart } as const
    expect((await objectsOf(given))[0]).toMatchObject({ helm: { values: { mode: 'seed-process' } } })
    const operator = { ...given, render: 'operator-extension' } as const
    expect((await objectsOf(operator))[0]).toMatchObject({
      spec: { deployment: { extension: { values: { mode: 'seed-process' } } } },
    })
  })

  test('values with a broker are refused', async () => {
    const values = await fileWith('{ mode: seed-process, broker: { class: Kafka } }')
    await expect(render(available, options({ ...manifest, values }))).rejects.toThrow(
      'broker: the mode seed-process has no broker: remove profile and class',
    )
  })
})

describe('a registration', () => {
  test('it contains the chart, and values that enable the registered kinds', async () => {
    const [deployment, registration] = await objectsOf({ render: 'registration', providers: ['calico'] })
    expect(deployment).toMatchObject({
      apiVersion: 'core.gardener.cloud/v1',
      kind: 'ControllerDeployment',
      metadata: { name: 'trellis-calico' },
      helm: {
        rawChart: expect.stringMatching(/^H4sI/),
        values: { functions: { 'calico-network': { enabled: true } } },
      },
    })
    expect(registration).toMatchObject({
      kind: 'ControllerRegistration',
      metadata: { name: 'trellis-calico' },
      spec: { resources: [{ kind: 'Network', type: 'calico' }] },
    })
  })

  test('it gives garden access to the functions that need it', async () => {
    const values = await fileWith('functions: { aws-dnsrecord: { gardenAccess: true } }')
    const given = { render: 'registration', functions: ['aws-dnsrecord'], chart } as const
    expect((await objectsOf({ ...given, values }))[0]).toMatchObject({ injectGardenKubeconfig: true })
    expect((await objectsOf(given))[0]).toMatchObject({ injectGardenKubeconfig: false })
  })

  test('it can be for the operator, with a chart in a registry', async () => {
    const [extension] = await objectsOf({ render: 'operator-extension', providers: ['oidc'], chart })
    expect(extension).toMatchObject({
      kind: 'Extension',
      spec: { deployment: { extension: { helm: { ociRepository: { ref: chart.ref } } } } },
    })
  })
})

describe('admission', () => {
  const oci = (ref: string) => ({ kind: 'oci', ref }) as const
  const admission = { runtime: oci('registry.example/r:1'), application: oci('registry.example/a:1') }
  const given = {
    render: 'operator-extension',
    chart: oci('registry.example/t:1'),
    registry: 'registry.example/images',
    admission,
  } as const

  test('the operator’s Extension contains it, with the choice and the registry', async () => {
    const [extension] = await objectsOf({ ...given, providers: ['aws'] })
    expect(extension).toMatchObject({
      spec: {
        deployment: {
          admission: {
            runtimeCluster: { helm: { ociRepository: { ref: 'registry.example/r:1' } } },
            virtualCluster: { helm: { ociRepository: { ref: 'registry.example/a:1' } } },
            values: {
              components: { 'admission-aws': { enabled: true } },
              image: { registry: 'registry.example/images' },
            },
          },
        },
      },
    })
  })

  test('without a registry for an image, the Extension is refused', async () => {
    const images = join(folder, 'images.json')
    await writeFile(images, JSON.stringify({ bridge: 'r.io/b:1', 'calico-network': 'r.io/c:1' }))
    const calico = { ...given, providers: ['calico'], registry: undefined, images }
    await expect(objectsOf(calico)).rejects.toThrow(/give the registry .* Missing: webhook$/)
  })

  test('a name that is invalid in the labels of its pods is refused', async () => {
    const named = (length: number) => objectsOf({ ...given, providers: ['aws'], name: 'a'.repeat(length) })
    await expect(named(54)).rejects.toThrow('at most 53 characters, --name NAME')
    expect(await named(53)).toHaveLength(1)
  })

  test('the application chart alone installs objects of the garden, if the selection has no webhooks', async () => {
    const { application } = admission
    const withObjects = { ...available, gardenObjects: [{ provider: 'oidc', objects: [] }] }
    const rendered = async (more: Partial<RenderOptions>) => {
      const chosen = options({ ...given, admission: { application }, providers: ['oidc'], ...more })
      return parseAllDocuments(String((await render(withObjects, chosen)).content))[0]?.toJS()
    }
    expect((await rendered({})).spec.deployment.admission).toEqual({
      virtualCluster: { helm: { ociRepository: { ref: 'registry.example/a:1' } } },
      values: {
        components: {},
        gardenObjects: { oidc: { enabled: true } },
        image: expect.anything(),
        logLevel: 'info',
      },
    })
    await expect(rendered({ admission })).rejects.toThrow('Remove --admission-runtime')
    await expect(rendered({ providers: ['oidc', 'aws'], name: 'a' })).rejects.toThrow(
      'give both --admission-runtime and --admission-application',
    )
  })

  test('a choice without admission is reported', async () => {
    await expect(objectsOf({ ...given, providers: ['oidc'] })).rejects.toThrow(
      'the selection has no admission for the garden',
    )
  })

  test.each(['admission-runtime', 'admission-application'] as const)('it has a chart: %s', async chart => {
    const file = await render(available, options({ render: `${chart}-chart`, providers: ['aws'] }))
    expect(file.name).toBe(`trellis-${chart}-1.2.3.tgz`)
  })
})

describe('invalid input is reported in one line', () => {
  test.each<[string, Partial<RenderOptions>, string]>([
    ['nothing chosen', { seed: 'a' }, 'choose what to install: --provider NAME'],
    ['an unknown provider', { providers: ['awz'] }, 'unknown provider awz. Did you mean aws?'],
    [
      'an unknown function',
      { functions: ['aws/dns'] },
      'unknown function aws/dns; known: aws/backupbucket, ',
    ],
    ['a misspelt function', { functions: ['aws/dnsrecrod'] }, 'Did you mean aws/dnsrecord?'],
    [
      'no registry',
      { ...manifest, registry: undefined },
      'give the registry of the images: --registry HOST/PATH',
    ],
    [
      'no registry of a registration',
      { render: 'registration', providers: ['aws'], registry: undefined },
      'give the registry of the images: --registry HOST/PATH',
    ],
    ['no seed', { functions: ['aws/dnsrecord'] }, 'give the seed a unique name: --seed NAME'],
    ['a seed of a registration', { ...manifest, render: 'registration' }, 'Remove --seed'],
    ['a name with a dot', { ...manifest, name: 'a.b' }, '--name "a.b" is not a name: expected at most 63'],
    [
      'a registry without a host',
      { ...manifest, registry: 'trellis' },
      'image.registry: expected a registry',
    ],
    [
      'a file that is not there',
      { ...manifest, values: '/nowhere.yaml' },
      'cannot read /nowhere.yaml: ENOENT',
    ],
    [
      "the operator's without a registry",
      { render: 'operator-extension', providers: ['aws'] },
      'accepts only charts from a registry. Give the reference: --chart',
    ],
  ])('%s', async (_, given, message) => {
    const error = await render(available, options(given)).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    )
    expect(error).toContain(message)
    expect(error).not.toContain('\n')
  })

  test('values that are invalid YAML, or not a map, are refused', async () => {
    const values = await fileWith('a: [')
    await expect(render(available, options({ ...manifest, values }))).rejects.toThrow('is not valid YAML')
    await writeFile(values, '- a')
    await expect(render(available, options({ ...manifest, values }))).rejects.toThrow('expected a map')
  })
})
