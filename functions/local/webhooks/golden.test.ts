import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type ReviewResult, sendReview, sendReviewAgain } from '../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { WebhookDefinition } from '../../../shared/webhooks/admission/admission.ts'
import { registrations, shootRegistrations } from '../../../shared/webhooks/admission/admission.ts'
import { type RecordedReview, recordedResult } from '../../../shared/webhooks/admission/testing/recording.ts'
import type { localRecordings } from '../../../test/beside/beside.ts'
import { localLife } from '../../../test/recorded/local.ts'
import { readStored } from '../../../test/recorded/stored.ts'
import { definitions } from './testing/definitions.ts'

type File = Extract<(typeof localRecordings)[number], `webhooks/${string}`>
const files: readonly File[] = [
  'webhooks/controlplane',
  'webhooks/networkpolicy',
  'webhooks/node',
  'webhooks/prometheus',
  'webhooks/shoot',
]

interface Recorded {
  readonly clusters: Readonly<Record<string, KubernetesObject>>
  readonly cases: readonly Omit<RecordedReview, 'operation'>[]
}
const recordedIn = (file: File): Recorded => ({ clusters: {}, ...Object(readStored(`local/${file}.json`)) })

/** An answer that differs from the recorded one, with the reason and a check of the answer. */
interface Difference {
  readonly why: string
  readonly check: (answer: ReviewResult, recorded: KubernetesObject) => void
}

/** Empty fields that the Go extension adds when it writes a whole configuration. */
const isZero = (value: unknown): boolean =>
  value === null ||
  value === 0 ||
  value === false ||
  /^(0s?)?$/.test(String(value)) ||
  (typeof value === 'object' && Object.values(value).every(isZero))

const sameButForZeros = (ours: string, theirs: string) => {
  const [got, recorded] = [ours, theirs].map(text => parse(text) as Record<string, unknown>)
  const filled = Object.fromEntries(
    Object.entries(recorded ?? {}).filter(([key, value]) => !isZero(value) || key in (got ?? {})),
  )
  expect(Object.keys(got ?? {}).toSorted()).toEqual(Object.keys(filled).toSorted())
  for (const [key, value] of Object.entries(filled))
    if (typeof value === 'object') expect(value).toMatchObject(Object(got)[key])
    else expect(Object(got)[key]).toEqual(value)
}
const kubeletText = ({ spec }: KubernetesObject) =>
  Buffer.from(String(Object(spec).files[0].content.inline.data), 'base64').toString()

const differences: Readonly<Record<string, Difference>> = {
  'webhooks/controlplane: OperatingSystemConfig': {
    why: 'W2: all but the one field keeps its bytes',
    check: ({ object }, recorded) => {
      sameButForZeros(kubeletText(object), kubeletText(recorded))
      expect(kubeletText(object)).toMatch(/^failSwapOn: false$/m)
    },
  },
  'webhooks/networkpolicy: unknown namespace': {
    why: 'L9: no Cluster is no reason to refuse',
    check: ({ allowed, patch }) => expect({ allowed, patch }).toEqual({ allowed: true, patch: [] }),
  },
  'webhooks/node: no status': {
    why: 'L7: a node that has told nothing of itself is allowed',
    check: ({ allowed, object }) =>
      expect({ allowed, object }).toMatchObject({
        allowed: true,
        object: { spec: { providerID: 'machine-x' }, status: {} },
      }),
  },
  'webhooks/shoot: kube-proxy config': {
    why: 'W2: all but the one field stays',
    check: ({ object }, recorded) => {
      const configOf = ({ data }: KubernetesObject) => String(Object(data)['config.yaml'])
      sameButForZeros(configOf(object), configOf(recorded))
      expect(parse(configOf(object))).toMatchObject({ conntrack: { maxPerCore: 0 } })
    },
  },
  'webhooks/shoot: broken': {
    why: 'W7: which line, and nothing of the text',
    check: ({ allowed, code, message }) =>
      expect({ allowed, code, message }).toEqual({
        allowed: false,
        code: 403,
        message: expect.stringMatching(/^could not decode kube-proxy configuration: line 1: not YAML/),
      }),
  },
}

const definitionOf = (file: File): WebhookDefinition => {
  const found = definitions.find(({ name }) => `webhooks/${name}` === file)
  if (found === undefined) throw new Error(`nobody answers ${file}`)
  return found
}

describe.each(files.map(file => ({ file, ...recordedIn(file) })))('$file', ({ file, clusters, cases }) => {
  const definition = definitionOf(file)
  const objects = Object.values(clusters)
  test.each(cases)('$name', async recorded => {
    const input = { ...recorded, operation: recorded.oldObject ? 'UPDATE' : 'CREATE' } as const
    const answer = await sendReview(definition, input, { objects })
    const difference = differences[`${file}: ${recorded.name}`]
    const result = recordedResult(input)
    if (difference !== undefined) difference.check(answer, result)
    else {
      expect(answer).toMatchObject({ allowed: recorded.response.allowed, code: 200 })
      expect(answer.object).toEqual(result)
    }
    if (answer.allowed)
      expect((await sendReviewAgain(definition, input, answer, { objects })).patch).toEqual([])
  })
})

test('each difference is of a case that is recorded', () => {
  const names = files.flatMap(file => recordedIn(file).cases.map(({ name }) => `${file}: ${name}`))
  expect(Object.keys(differences).filter(name => !names.includes(name))).toEqual([])
})

test('shoots get the recorded webhooks', () => {
  const [step] = localLife('controlplane').steps
  const recorded = step?.objects.find(
    ({ metadata }) => metadata.name === 'extension-controlplane-shoot-webhooks',
  )
  const [theirs] = Object.values(recorded?.secrets?.[0]?.objects ?? {}).flat()
  const [ours] = shootRegistrations(definitions, { namespace: 'trellis', caBundleOf: () => 'bundle' })
  expect(ours?.metadata).toEqual(theirs?.metadata)
  // Defaults of the API server are written out, so that objects can be compared.
  const bare = (webhook: object) => {
    const { clientConfig: _, reinvocationPolicy: __, ...rest } = webhook as Record<string, unknown>
    const { namespaceSelector = {}, objectSelector = {}, rules, ...fields } = rest
    return {
      ...fields,
      namespaceSelector,
      objectSelector,
      rules: (rules as readonly object[]).map(rule => ({ scope: '*', ...rule })),
    }
  }
  const webhooksOf = (configuration: object | undefined) =>
    (Object(configuration).webhooks as readonly object[]).map(bare)
  expect(webhooksOf(ours)).toEqual(webhooksOf(theirs))
})

test('the configuration of the seed is Gardener’s to leave alone, and selects what is of the provider', () => {
  const [configuration, ...others] = registrations(definitions, {
    namespace: 'trellis',
    caBundleOf: () => 'bundle',
  })
  expect(others).toEqual([])
  expect(configuration?.metadata).toEqual({
    name: 'gardener-extension-provider-local',
    labels: { 'remediation.webhook.shoot.gardener.cloud/exclude': 'true' },
  })
  expect(
    configuration?.webhooks?.map(({ name, failurePolicy, timeoutSeconds, matchPolicy, ...rest }) => ({
      name,
      failurePolicy,
      timeoutSeconds,
      matchPolicy,
      reinvocationPolicy: Object(rest).reinvocationPolicy,
    })),
  ).toEqual(
    ['controlplane', 'networkpolicy', 'prometheus', 'rollout-speedup'].map(name => ({
      name: `${name}.local.extensions.gardener.cloud`,
      failurePolicy: 'Fail',
      timeoutSeconds: 10,
      matchPolicy: 'Exact',
      reinvocationPolicy: 'Never',
    })),
  )
})
