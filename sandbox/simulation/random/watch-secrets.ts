import { createHash } from 'node:crypto'
import { broken } from '../invariants/invariants.ts'
import type { WorldSeed } from '../simulate.ts'
import type { ShootLife } from './shoot-life.ts'

/** Observes the Secrets of secrets managers in the namespaces of shoots. */
export interface WatchedSecrets {
  /** From now on, a Secret may be generated again: etcd has lost some. */
  forget(): void
  /** Returns a sentence for each Secret whose content changed, and for each authority that its user did not request. */
  problems(): readonly string[]
}

const managed = { by: 'managed-by', rotation: 'last-rotation-initiation-time' }

export const watchSecrets = (seeds: readonly WorldSeed[], lives: readonly ShootLife[]): WatchedSecrets => {
  const contents = new Map<string, string>()
  const rotations = new Map<ShootLife, Map<string, string>>(lives.map(life => [life, new Map()]))
  const problems = new Set<string>()
  for (const { server, name: seed } of seeds)
    server.store.subscribe((resource, { type, entry }) => {
      const { labels = {}, name, namespace } = entry.object.metadata
      if (resource !== 'secrets' || labels[managed.by] !== 'secrets-manager') return
      const life = lives.find(one => one.namespace === namespace)
      if (life === undefined) return
      const id = `${namespace}/${name} ${life.deletions()}`
      const { data = {} } = entry.object as { readonly data?: object }
      if (type === 'DELETED') {
        // A migration persists only authorities, and a manager deletes unused Secrets. Others are generated again.
        if (!('ca.key' in data)) contents.delete(id)
        return
      }
      const content = createHash('sha256')
        .update(JSON.stringify(sorted(data)))
        .digest('hex')
      const before = contents.get(id)
      contents.set(id, content)
      if (before !== undefined && before !== content)
        problems.add(
          broken('nothing is doubled', `the content of Secret ${namespace}/${name} changed in seed ${seed}`),
        )
      const rotation = labels[managed.rotation]
      if ('ca.key' in data && rotation) rotations.get(life)?.set(rotation, `${namespace}/${name}`)
    })
  return {
    forget: () => contents.clear(),
    problems: () => [...problems, ...lives.flatMap(life => uncalled(life, rotations.get(life)))],
  }
}

const sorted = (data: object): readonly unknown[] => Object.entries(data).sort()

const uncalled = (life: ShootLife, seen: ReadonlyMap<string, string> = new Map()): readonly string[] => {
  const asked = new Set(
    life.versions().map(({ status }) => {
      const time = status.credentials?.rotation.certificateAuthorities.lastInitiationTime
      return time === undefined ? '' : String(Date.parse(time) / 1_000)
    }),
  )
  return [...seen].flatMap(([rotation, name]) =>
    asked.has(rotation)
      ? []
      : [broken('nothing is doubled', `authority ${name} was rotated, but its user did not request it`)],
  )
}
