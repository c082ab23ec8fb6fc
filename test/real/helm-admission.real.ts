import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AdmissionChart,
  admissionChartFiles,
  admissionCharts,
  admissionDeployment,
  parseAdmissionValues,
} from '../../knative/chart/chart.ts'
import { admissionParts } from '../../knative/knative.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import {
  type HelmChart,
  installable,
  objectsOf,
  packChart,
  release,
  sorted,
  withRegistry,
} from './helm-charts.ts'
import { describeWith } from './with-part.ts'

const enabled = { 'admission-aws': { enabled: true } }

const cases: readonly (readonly [string, object])[] = [
  [
    'gardener-operator',
    {
      components: enabled,
      gardener: {
        runtimeCluster: { enabled: 'true', priorityClassName: 'gardener-garden-system-300' },
        virtualCluster: {
          enabled: 'true',
          namespace: 'extension-trellis-aws',
          serviceAccount: { name: 'extension-admission-trellis-aws', namespace: 'kube-system' },
        },
      },
    },
  ],
  [
    'a garden without it',
    {
      components: { ...enabled, 'admission-calico': { enabled: true } },
      virtualGarden: { kubeconfigSecret: 'garden', account: { name: 'own', namespace: 'accounts' } },
      priorityClassName: '',
    },
  ],
  ['objects of the garden', { components: enabled, gardenObjects: { acme: { enabled: true } } }],
  [
    'all values',
    {
      components: { 'admission-calico': { enabled: true } },
      image: { registry: 'localhost:5000/a', tag: 'v1', pullSecrets: ['one'] },
      images: { webhook: 'registry.example/webhook:1' },
      replicas: 3,
      resources: { cpu: '1', memory: '1Gi', memoryLimit: '2Gi' },
      env: { A: '1', TRELLIS_LOG_LEVEL: 'warn' },
      verticalPodAutoscaler: { enabled: false },
      podLabels: { team: 'network' },
    },
  ],
]

/** Text in braces is not a template. */
const acme: readonly KubernetesObject[] = [
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'roses.acme.example' },
    spec: { versions: [{ schema: { maxLength: 10_000_000, description: '{{ .Values.seed }}' } }] },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'acme', labels: { 'rbac.gardener.cloud/aggregate-to-project-member': 'true' } },
  },
]
const own = {
  ...installable,
  gardenObjects: [
    { provider: 'acme', objects: acme },
    { provider: 'other', objects: acme },
  ],
}

describeWith('helm', 'the charts of admission, by helm', programs => {
  describe.each(Object.keys(admissionCharts) as AdmissionChart[])('%s', which => {
    let chart: HelmChart
    beforeAll(async () => {
      const { name } = admissionCharts[which]
      chart = await packChart(programs, admissionChartFiles(own, which), name)
    })
    afterAll(() => chart?.close())

    test('passes lint', async () => {
      expect(await chart.helm('lint', '--strict', chart.archive)).toContain('0 chart(s) failed')
    })

    test.each(cases)('renders the objects of the definitions for %s', async (_, values) => {
      const deployment = admissionDeployment(
        parseAdmissionValues(own, withRegistry(values)),
        own.webhooks,
        { ...release, version: own.version },
        own.gardenObjects,
      )
      const expected = admissionParts(deployment)
        .filter(({ file }) => file === admissionCharts[which].file)
        .flatMap(({ objects }) => objects.map(({ object }) => object))
      expect(expected.length).toBeGreaterThan(1)
      expect(objectsOf(await chart.helm('template', ...(await chart.with(values))))).toEqual(
        sorted(JSON.parse(JSON.stringify(expected))),
      )
    })

    test('installs only objects of the garden without a component', async () => {
      const values = await chart.with({ gardenObjects: { acme: { enabled: true } } })
      const rendered = chart.helm('template', ...values)
      if (which === 'application') expect(objectsOf(await rendered)).toEqual(sorted(acme))
      else await expect(rendered).rejects.toThrow('set components.<name>.enabled to true')
    })

    test('refuses empty values', async () => {
      await expect(chart.helm('template', ...(await chart.with({})))).rejects.toThrow(
        'set components.<name>.enabled to true',
      )
    })
  })

  test('sets no GARDEN_KUBECONFIG if the operator injects it, and grants access to the named account', async () => {
    const [, values] = cases[0] ?? ['', {}]
    const deployment = admissionDeployment(
      parseAdmissionValues(installable, withRegistry(values)),
      installable.webhooks,
      {
        ...release,
        version: installable.version,
      },
    )
    const text = JSON.stringify(admissionParts(deployment))
    expect(text).not.toContain('GARDEN_KUBECONFIG')
    expect(text).toContain(
      '{"kind":"ServiceAccount","name":"extension-admission-trellis-aws","namespace":"kube-system"}',
    )
    expect(text).toContain('{"name":"TRELLIS_OWNER_NAMESPACE","value":"extension-trellis-aws"}')
  })

  test('refuses an image without a registry', async () => {
    const chart = await packChart(
      programs,
      admissionChartFiles(installable, 'runtime'),
      admissionCharts.runtime.name,
    )
    try {
      const values = { components: enabled, image: { registry: '' } }
      await expect(chart.helm('template', ...(await chart.with(values)))).rejects.toThrow(
        'image.registry: set the registry of the images',
      )
    } finally {
      await chart.close()
    }
  })
})
