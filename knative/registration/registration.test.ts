import { describe, expect, test } from 'vitest'
import { findFunctions } from '../../functions/find-functions.ts'
import { done } from '../../shared/lifecycle/lifecycle.ts'
import { defineFunction, type FunctionOptions } from '../../shared/runtime/define-function.ts'
import {
  controllerDeployment,
  controllerRegistration,
  type ExtensionRegistration,
  legacyControllerDeployment,
  operatorExtension,
} from './registration.ts'

const functions = await findFunctions()

const ofProvider = (provider: string) =>
  functions.filter(({ file }) => file.includes(`/functions/${provider}/`))

const create = () => ({ reconcile: async () => done(), remove: async () => done() })

const extension = (
  given: Partial<FunctionOptions<'Extension', never, unknown>> = {},
): ExtensionRegistration['functions'] => [
  defineFunction({ name: 'acme-extension', kind: 'Extension', type: 'acme', create, ...given }),
]

const archive = new Uint8Array([31, 139, 8])
const raw = { kind: 'raw', archive } as const
const oci = { kind: 'oci', ref: 'registry.example/charts/trellis:1.2.3' } as const

const example = (given: Partial<ExtensionRegistration> = {}): ExtensionRegistration => ({
  name: 'trellis-aws',
  functions: ofProvider('aws'),
  chart: raw,
  values: { logLevel: 'debug' },
  ...given,
})

describe('a ControllerRegistration', () => {
  test('lists each kind and type of the functions, as in their definitions', () => {
    const { spec } = controllerRegistration(example())
    expect(spec.resources).toEqual([
      { kind: 'BackupBucket', type: 'aws' },
      { kind: 'BackupEntry', type: 'aws' },
      { kind: 'Bastion', type: 'aws' },
      { kind: 'ControlPlane', type: 'aws' },
      { kind: 'DNSRecord', type: 'aws-route53' },
      { kind: 'Infrastructure', type: 'aws' },
      { kind: 'Worker', type: 'aws' },
    ])
  })

  test('lists every type of a function with several types', () => {
    const { spec } = controllerRegistration(example({ functions: ofProvider('gardenlinux') }))
    const [definition] = ofProvider('gardenlinux')
    expect(spec.resources.map(({ type }) => type)).toEqual(definition?.types.toSorted())
    expect(spec.resources.length).toBeGreaterThan(1)
  })

  test('of the functions of Gardener’s reference extensions matches their own registration', () => {
    const { spec } = controllerRegistration(example({ functions: ofProvider('local') }))
    expect(
      spec.resources.filter(({ kind }) => kind === 'Extension' || kind === 'SelfHostedShootExposure'),
    ).toEqual([
      {
        kind: 'Extension',
        type: 'local-ext-seed',
        clusterCompatibility: ['shoot', 'seed'],
        lifecycle: {
          reconcile: 'BeforeKubeAPIServer',
          delete: 'AfterKubeAPIServer',
          migrate: 'AfterKubeAPIServer',
        },
        workerlessSupported: true,
      },
      {
        kind: 'Extension',
        type: 'local-ext-shoot',
        clusterCompatibility: ['shoot'],
        workerlessSupported: true,
      },
      {
        kind: 'Extension',
        type: 'local-ext-shoot-after-worker',
        clusterCompatibility: ['shoot'],
        lifecycle: { reconcile: 'AfterWorker' },
      },
      { kind: 'SelfHostedShootExposure', type: 'local', continuousEndpointUpdate: true },
    ])
  })

  test('is installed on demand with the deployment of its name, in a restricted namespace', () => {
    const { metadata, spec } = controllerRegistration(example())
    expect(metadata).toEqual({
      name: 'trellis-aws',
      annotations: { 'security.gardener.cloud/pod-security-enforce': 'restricted' },
    })
    expect(spec.deployment).toEqual({ policy: 'OnDemand', deploymentRefs: [{ name: 'trellis-aws' }] })
  })

  test('can be installed always, and with less restriction', () => {
    const { metadata, spec } = controllerRegistration(example({ policy: 'Always', podSecurity: 'baseline' }))
    expect(Object.values(metadata.annotations)).toEqual(['baseline'])
    expect(spec.deployment.policy).toBe('Always')
  })

  test('of secondary functions says so, and only then may select seeds', () => {
    const seedLabels = { region: 'eu' }
    const audit = defineFunction({
      role: 'secondary',
      name: 'acme-audit',
      kind: 'ControlPlane',
      type: 'acme',
      create: () => ({ observe: async () => ({}) }),
    })
    const { spec } = controllerRegistration(example({ functions: [audit], seedLabels }))
    expect(spec.resources).toEqual([{ kind: 'ControlPlane', type: 'acme', primary: false }])
    expect(spec.deployment.seedSelector).toEqual({ matchLabels: seedLabels })
    expect(() => controllerRegistration(example({ seedLabels }))).toThrow('secondary functions')
  })

  test('omits garden resources, and is not created if no others exist', () => {
    const ofGarden = extension({ classes: ['garden'] })
    const { spec } = controllerRegistration(example({ functions: [...ofGarden, ...ofProvider('calico')] }))
    expect(spec.resources.map(({ kind }) => kind)).toEqual(['Network'])
    expect(() => controllerRegistration(example({ functions: ofGarden }))).toThrow('operator-extension')
  })

  test('for an older Gardener has globallyEnabled instead of unsupported fields', () => {
    const registration = {
      autoEnable: ['shoot'],
      reconcileTimeout: '30s',
      workerlessSupported: true,
    } as const
    const [definition] = extension({ registration })
    const given = example({ functions: extension({ registration }) })
    expect(controllerRegistration(given, 'legacy').spec.resources).toEqual([
      {
        kind: 'Extension',
        type: 'acme',
        globallyEnabled: true,
        reconcileTimeout: '30s',
        workerlessSupported: true,
      },
    ])
    expect(controllerRegistration(given).spec.resources).toEqual([
      { kind: 'Extension', type: 'acme', clusterCompatibility: ['shoot'], ...definition?.registration },
    ])
    const exposures = ofProvider('local').filter(({ kind }) => kind === 'SelfHostedShootExposure')
    expect(controllerRegistration(example({ functions: exposures }), 'legacy').spec.resources).toEqual([
      { kind: 'SelfHostedShootExposure', type: 'local' },
    ])
  })
})

describe('a ControllerDeployment', () => {
  test('contains the chart and its values, and gives no access to the garden', () => {
    expect(controllerDeployment(example())).toEqual({
      apiVersion: 'core.gardener.cloud/v1',
      kind: 'ControllerDeployment',
      metadata: { name: 'trellis-aws' },
      helm: { rawChart: 'H4sI', values: { logLevel: 'debug' } },
      injectGardenKubeconfig: false,
    })
  })

  test('references a chart in a registry, with the Secrets for its access', () => {
    const chart = { ...oci, pullSecret: 'pull', caBundleSecret: 'ca' }
    expect(controllerDeployment(example({ chart, gardenAccess: true }))).toMatchObject({
      helm: {
        ociRepository: {
          ref: oci.ref,
          pullSecretRef: { name: 'pull' },
          caBundleSecretRef: { name: 'ca' },
        },
      },
      injectGardenKubeconfig: true,
    })
    expect(controllerDeployment(example({ chart })).helm).not.toHaveProperty('rawChart')
  })

  test('for an older Gardener contains the same chart and values, and refuses one in a registry', () => {
    expect(legacyControllerDeployment(example())).toEqual({
      apiVersion: 'core.gardener.cloud/v1beta1',
      kind: 'ControllerDeployment',
      metadata: { name: 'trellis-aws' },
      type: 'helm',
      providerConfig: { chart: 'H4sI', values: { logLevel: 'debug' } },
    })
    expect(legacyControllerDeployment(example({ gardenAccess: true })).injectGardenKubeconfig).toBe(true)
    expect(() => legacyControllerDeployment(example({ chart: oci }))).toThrow('embeds its chart')
  })
})

describe('references to Secrets in values', () => {
  const values = { functionEnv: { HTTPS_PROXY: 'http://{{ .resources.proxy.data.user }}@proxy.example:80' } }
  const resources = [
    { name: 'proxy', kind: 'Secret', object: 'proxy-credentials' },
    { name: 'hosts', kind: 'ConfigMap', object: 'hosts' },
  ] as const
  const declared = [
    { name: 'proxy', resourceRef: { apiVersion: 'v1', kind: 'Secret', name: 'proxy-credentials' } },
    { name: 'hosts', resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'hosts' } },
  ]

  test('are declared in a ControllerDeployment, and in the deployment of an Extension', () => {
    expect(controllerDeployment(example({ values, resources }))).toMatchObject({
      resources: declared,
      helm: { values },
    })
    const { spec } = operatorExtension(example({ values, resources, chart: oci }))
    expect(spec.deployment).toMatchObject({ resources: declared, extension: { values } })
  })

  test('are absent without resources', () => {
    expect(controllerDeployment(example())).not.toHaveProperty('resources')
    expect(operatorExtension(example({ chart: oci })).spec.deployment).not.toHaveProperty('resources')
  })

  test('of admission need a declaration, too', () => {
    const chart = { kind: 'oci', ref: 'registry.example/charts/admission:1' } as const
    const admission = { runtime: chart, application: chart, values }
    expect(() => operatorExtension({ ...example({ chart: oci }), admission })).toThrow(
      'Add --resources proxy=Secret/OBJECT',
    )
  })

  test.each([
    ['{{ .resources.prxy.data.user }}', 'no resource has this name. Add --resources prxy=Secret/OBJECT'],
    ['{{ .Values.seed }}', 'Gardener accepts only {{ .resources.NAME.data.KEY }}'],
    ['{{- .resources.proxy.data.user }}', 'Gardener accepts only'],
    ['{{ .resources.proxy.data.ca.crt }}', 'Gardener accepts only'],
    ['{{ {{ .resources.proxy.data.user }}', 'contains {{ or }} outside a template'],
  ])('%s is refused, and the error omits the rest of the value', (template, message) => {
    const given = example({ values: { list: [{ text: `PLANTED ${template}` }] }, resources })
    const error = (): string => {
      try {
        controllerDeployment(given)
        return ''
      } catch (thrown) {
        return String(thrown)
      }
    }
    expect(error()).toContain(message)
    expect(error()).not.toContain('PLANTED')
  })

  test('need names that templates can contain, once each', () => {
    const named = (...names: readonly string[]) =>
      example({ resources: names.map(name => ({ name, kind: 'Secret', object: 'a' }) as const) })
    expect(() => controllerDeployment(named('my-proxy'))).toThrow('expected letters and digits')
    expect(() => controllerDeployment(named('a', 'a'))).toThrow('the resource a is given twice')
  })

  test('do not exist in an older Gardener', () => {
    expect(() => legacyControllerDeployment(example({ resources }))).toThrow('Remove --resources or --legacy')
  })
})

describe("the operator's Extension", () => {
  const admission = {
    runtime: { kind: 'oci', ref: 'registry.example/charts/admission-runtime:1' },
    application: { kind: 'oci', ref: 'registry.example/charts/admission-application:1' },
    values: { logLevel: 'info' },
  } as const

  test('has the same resources and deployment, and also those of gardens', () => {
    const { spec } = operatorExtension(example({ functions: ofProvider('oidc'), chart: oci }))
    expect(spec.resources).toEqual([
      {
        kind: 'Extension',
        type: 'shoot-oidc-service',
        clusterCompatibility: ['shoot', 'garden'],
        workerlessSupported: true,
      },
    ])
    expect(spec.deployment).toEqual({
      extension: {
        helm: { ociRepository: { ref: oci.ref } },
        values: { logLevel: 'debug' },
        runtimeClusterValues: { logLevel: 'debug' },
        policy: 'OnDemand',
        injectGardenKubeconfig: false,
      },
    })
  })

  test('has values for the runtime cluster only if a function is for gardens', () => {
    const { spec } = operatorExtension(example({ functions: ofProvider('calico'), chart: oci }))
    expect(spec.deployment.extension).not.toHaveProperty('runtimeClusterValues')
  })

  test('has the charts of admission, for the process and for its permissions', () => {
    const { spec } = operatorExtension({ ...example({ chart: oci }), admission })
    expect(spec.deployment.admission).toEqual({
      runtimeCluster: { helm: { ociRepository: { ref: admission.runtime.ref } } },
      virtualCluster: { helm: { ociRepository: { ref: admission.application.ref } } },
      values: { logLevel: 'info' },
    })
  })

  test('accepts only charts in a registry', () => {
    expect(() => operatorExtension(example())).toThrow('registry')
  })
})
