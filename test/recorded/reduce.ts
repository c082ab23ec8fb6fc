import { readFileSync } from 'node:fs'
import { readTimelines } from '../../sandbox/machine-controller/testing/read-timelines.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import {
  admissionRecordings,
  besidePath,
  controlPlaneCases,
  controlPlaneScenarios,
  lifeRecordings,
  localRecordings,
  networkCases,
  openstackControlPlaneCases,
  openstackWebhookRecordings,
  operatingSystemCases,
  webhookRecordings,
  workerCases,
} from '../beside/beside.ts'
import { accountFiles, callCases } from './cases.ts'
import { digested, sha256, withoutTexts } from './digests.ts'

const timelinesFile = 'machine-controller/timelines.txt'

/** Reads an original beside the repository. */
export const readOriginal = (file: string): unknown => {
  const text = readFileSync(besidePath('golden', file), 'utf8')
  return file === timelinesFile ? text : JSON.parse(text)
}

/** Takes from a recording what the tests compare. */
type Reduce = (recording: unknown) => unknown

const whole: Reduce = recording => recording

type Objects = readonly KubernetesObject[]

/** Rendered objects become digests. The webhooks of an extension itself stay: the tests compare their rules. */
const digestedObjects = (objects: Objects): Objects =>
  objects.map(object =>
    object.metadata.name.startsWith('gardener-extension-provider-') ? object : digested(object),
  )

/** The annotation of pods that changes with the credentials. */
const credentials = /(?<="checksum\/secret-cloudprovider":")[0-9a-f]{64}/g

/** Replaces the checksums of the credentials, which differ between seeds. */
export const withoutChecksums = <O extends Objects>(objects: O): O =>
  JSON.parse(JSON.stringify(objects).replaceAll(credentials, '<checksum>'))

interface ControlPlaneRecording {
  readonly managedResources: Readonly<
    Record<string, { readonly secrets: Readonly<Record<string, { readonly objects: Objects | string }>> }>
  >
}

/** The checksums of the credentials are listed beside the digests. */
const controlPlane: Reduce = recording => {
  const { managedResources, ...rest } = recording as ControlPlaneRecording
  const reduced = Object.entries(managedResources).map(([name, { secrets, ...resource }]) => {
    const contents = Object.entries(secrets).map(([secret, { objects, ...content }]) => [
      secret,
      typeof objects === 'string'
        ? { ...content, objects }
        : { ...content, objects: digestedObjects(withoutChecksums(objects)) },
    ])
    const checksums = JSON.stringify(secrets).match(credentials) ?? []
    return [name, { ...resource, checksums, secrets: Object.fromEntries(contents) }]
  })
  return { ...rest, managedResources: Object.fromEntries(reduced) }
}

/** The status of the object is not compared. */
const openstackControlPlane: Reduce = recording => {
  const {
    controlPlane: _,
    firstReconcile,
    ...rest
  } = recording as ControlPlaneRecording & {
    readonly controlPlane: unknown
    readonly firstReconcile?: { readonly order: unknown; readonly requests: unknown }
  }
  const { order, requests } = firstReconcile ?? {}
  return { ...Object(controlPlane(rest)), ...(firstReconcile && { firstReconcile: { order, requests } }) }
}

interface Step {
  readonly objects?: unknown
  readonly userDataSecret?: object | string
  readonly result?: object | null
}

/** Removes figures and the bodies of writes, and reduces the rest of each step. */
const life =
  (ofStep: (step: Step) => object = step => step): Reduce =>
  recording => {
    const { steps, ...rest } = recording as { readonly steps: readonly Step[] }
    const reduced = steps.map(step => {
      const unused = ['writes', 'wallMs', 'cpuMs', 'by', 'requestsByResource']
      return ofStep(Object.fromEntries(Object.entries(step).filter(([key]) => !unused.includes(key))))
    })
    return { ...rest, steps: reduced }
  }

/** CustomResourceDefinitions are recorded by name and the additions of the extension. */
const networkObjects = (objects: Objects): Objects =>
  objects.map(object => {
    const { kind, metadata } = object
    const { name, labels, annotations } = metadata
    if (kind !== 'CustomResourceDefinition') return digested(object)
    return {
      apiVersion: '',
      kind,
      metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    }
  })

/** Reduces the objects in all Secrets of ManagedResources, at any depth. */
const inSecrets =
  (reduceObjects: (objects: Objects) => Objects) =>
  (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(inSecrets(reduceObjects))
    const entries = Object.entries(value).map(([key, inner]) =>
      key === 'secrets' && Array.isArray(inner)
        ? [key, inner.map(secret => ({ ...secret, objects: byKey(secret.objects, reduceObjects) }))]
        : [key, inSecrets(reduceObjects)(inner)],
    )
    return Object.fromEntries(entries)
  }

const byKey = (contents: Readonly<Record<string, Objects>>, reduceObjects: (objects: Objects) => Objects) =>
  Object.fromEntries(Object.entries(contents).map(([key, objects]) => [key, reduceObjects(objects)]))

const withDigests = (reduceObjects: (objects: Objects) => Objects): Reduce =>
  life(({ objects, ...step }) => ({ ...step, objects: inSecrets(reduceObjects)(objects) }))

/** The image is in the manifests, and an input of the test. */
const runtime: Reduce = recording => {
  const [, image] = /"image":"([^"]*runtime-gvisor-installation[^"]*)"/.exec(JSON.stringify(recording)) ?? []
  return { image, ...Object(withDigests(digestedObjects)(recording)) }
}

const operatingSystem = life(({ userDataSecret, result = null, ...step }) => {
  const rest = { ...step, result: withoutTexts(result) }
  if (typeof userDataSecret !== 'object' || userDataSecret === null) return { ...rest, userDataSecret }
  const { userData, ...secret } = userDataSecret as { readonly userData: string }
  return { ...rest, userDataSecret: { ...secret, digest: sha256(userData) } }
})

/** The steps of each machine, by scenario. */
const timelines: Reduce = text => Object.fromEntries(readTimelines(String(text)))

const callFiles = [
  ...callCases.flatMap(name => [`${name}.calls.json`, `${name}.cr.json`]),
  ...Object.values(accountFiles),
]

const reductions: readonly { readonly files: readonly string[]; readonly reduce: Reduce }[] = [
  {
    files: ['health.json', 'webhooks/registrations.json', 'worker/errors.json', 'worker/hash-vectors.json'],
    reduce: whole,
  },
  { files: callFiles, reduce: whole },
  { files: [timelinesFile], reduce: timelines },
  { files: lifeRecordings.map(name => `${name}.json`), reduce: life() },
  { files: ['local/controlplane.json'], reduce: withDigests(digestedObjects) },
  { files: ['local/worker.json'], reduce: life() },
  {
    files: localRecordings.filter(name => name.startsWith('webhooks/')).map(name => `local/${name}.json`),
    reduce: whole,
  },
  { files: networkCases.map(name => `network/${name}.json`), reduce: withDigests(networkObjects) },
  { files: ['containerruntime/gvisor.json'], reduce: runtime },
  { files: operatingSystemCases.map(name => `operatingsystemconfig/${name}.json`), reduce: operatingSystem },
  { files: ['operatingsystemconfig/gardenlinux-webhook.json'], reduce: whole },
  {
    files: ['admission/fixtures.json', ...admissionRecordings.map(name => `admission/${name}.json`)],
    reduce: whole,
  },
  { files: webhookRecordings.map(name => `webhooks/${name}.json`), reduce: whole },
  { files: openstackWebhookRecordings.map(name => `openstack/webhooks/${name}.json`), reduce: whole },
  { files: workerCases.map(name => `worker/${name}.json`), reduce: whole },
  { files: controlPlaneCases.map(name => `controlplane/${name}.json`), reduce: controlPlane },
  {
    files: openstackControlPlaneCases.map(name => `openstack/controlplane/${name}.json`),
    reduce: openstackControlPlane,
  },
  {
    files: ['controlplane/crds-3.json', 'controlplane/crds-5.json'],
    reduce: objects => ({ objects: digestedObjects(objects as Objects) }),
  },
  { files: controlPlaneScenarios.map(name => `controlplane/scenario-${name}.json`), reduce: whole },
]

/** How each file of recordings is reduced, by its name. */
export const reducedFiles: ReadonlyMap<string, Reduce> = new Map(
  reductions.flatMap(({ files, reduce }) =>
    files.map(file => [file, recording => reduce(withoutWords(recording))] as const),
  ),
)

/** Removes the sentence about a recording. */
const withoutWords = (recording: unknown): unknown => {
  if (typeof recording !== 'object' || Array.isArray(recording)) return recording
  const { about: _, ...facts } = recording as { readonly about?: string }
  return facts
}
