import { fileURLToPath } from 'node:url'
import { readObjects } from '../../cli/plan/read-objects.ts'
import { chooseFunction } from '../../cli/replay/choose-function.ts'
import { nextEvent } from '../../cli/replay/next-event.ts'
import { play } from '../../cli/replay/play.ts'
import { createReplayEnvironment } from '../../cli/replay/replay-environment.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { provider as aws } from '../../sandbox/providers/aws/provider.ts'
import { provider as local } from '../../sandbox/providers/local/provider.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { buildEvent } from '../../shared/events/events.ts'
import type { KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { firstVersion, withVersion } from './record-run.ts'

const objectsIn = (example: string): Promise<readonly KubernetesObject[]> =>
  readObjects(fileURLToPath(new URL(`../../examples/${example}.yaml`, import.meta.url)), process.stdin)

const start = Date.parse('2026-01-01T00:00:00.250Z')
const hour = 3_600_000

export interface LifeToRecord {
  /** The prefix of the file names. Default: the kind. */
  readonly name?: string
  readonly kind: KindName
  /** An example file with one object of the kind: `infrastructure/one-zone`. */
  readonly example: string
  /** Another example file. Its Cluster exists too. */
  readonly clusterOf?: string
  readonly uid: string
  /** The requests of gardenlet after the creation, in this order. */
  readonly asks: readonly ('unchanged' | 'migrate' | 'restore' | 'delete' | Change)[]
}

/** A changed spec, which is reconciled. */
export interface Change {
  readonly name: string
  /** Returns `spec` of the merge patch. */
  readonly specOf: (object: KubernetesObject) => object
}

/** Runs an example object through its life, step by step. Returns the events by file name: `infrastructure-create`. */
export const recordLife = async ({
  kind,
  name: fileName = kind.toLowerCase(),
  example,
  clusterOf,
  uid,
  asks,
}: LifeToRecord): Promise<ReadonlyMap<string, ExtensionEvent>> => {
  const { resource } = kinds[kind]
  const others = clusterOf === undefined ? [] : await objectsIn(clusterOf)
  const objects = [...others.filter(each => each.kind === 'Cluster'), ...(await objectsIn(example))]
  const object = objects.find(each => each.kind === kind)
  if (object === undefined) throw new Error(`the example has no ${kind}`)
  const { name, namespace } = object.metadata
  const key: ObjectKey = namespace === undefined ? { name } : { name, namespace }
  const created = buildEvent({
    object: newly(object, uid),
    kind,
    operation: 'reconcile',
    cause: 'created',
    reason: 'annotation',
    attempt: 0,
    source: '/seeds/sandbox',
    now: start,
  })
  const fileOf = (what: string) => `${fileName}-${what}`
  const stage = await createReplayEnvironment({ objects, clouds: [{ provider: aws }, { provider: local }] })
  const chosen = chooseFunction(await findFunctions(), created, undefined, 'the recording')
  stage.prepare(created, chosen.provider)
  const saved = new Map<string, ExtensionEvent>([[fileOf('create'), created]])
  let base: number | undefined
  const save = (what: string, event: ExtensionEvent) => {
    const version = Number(event.resourceversion)
    base ??= version
    saved.set(fileOf(what), withVersion(event, version - base + firstVersion + 1))
  }
  const step = async (event: ExtensionEvent) => {
    const { next } = await play(stage, { file: '', event, chosen, live: false, first: false, follows: true })
    return next
  }
  const annotate = (more: Readonly<Record<string, string>>, fields: object = {}) =>
    stage.kubernetes.patch(resource, key, {
      metadata: {
        annotations: { ...more, [annotations.timestamp]: new Date(stage.clock.now()).toISOString() },
      },
      ...fields,
    })
  const request = (operation: string) => ({ [annotations.operation]: operation })
  const acts = {
    unchanged: () => annotate(request('reconcile')),
    migrate: () => annotate(request('migrate')),
    restore: () => annotate(request('restore')),
    delete: async () => {
      await annotate({ [annotations.deletionConfirmation]: 'true' })
      await stage.kubernetes.delete(resource, key)
    },
  }
  try {
    let next = await step(created)
    if (next !== undefined) save('continue', next)
    while (next !== undefined) next = await step(next)
    for (const ask of asks) {
      stage.clock.moveTo(stage.clock.now() + hour)
      const what = typeof ask === 'string' ? ask : ask.name
      if (typeof ask === 'string') await acts[ask]()
      else await annotate(request('reconcile'), { spec: ask.specOf(object) })
      const event = nextEvent(await stage.kubernetes.get(resource, key), created, stage.clock.now())
      if (event === undefined) throw new Error('nothing was due')
      save(what, event)
      if (ask === asks.at(-1)) continue
      for (let next = await step(event); next !== undefined; ) next = await step(next)
    }
    return saved
  } finally {
    await stage.close()
  }
}

/** Returns the object as the API server stores it right after gardenlet creates it. */
const newly = (object: KubernetesObject, uid: string): KubernetesObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    uid,
    resourceVersion: String(firstVersion),
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    annotations: {
      ...object.metadata.annotations,
      [annotations.timestamp]: '2026-01-01T00:00:00.000000001Z',
    },
  },
})
