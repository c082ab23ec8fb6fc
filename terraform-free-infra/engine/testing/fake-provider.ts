import type { Ref } from '../graph/graph.ts'
import { type GraphBuilder, graphOf } from '../graph/graph.ts'
import type { FoundStatus, ListContext, Observation, ResourceType } from '../graph/resource-type.ts'
import type { FakeCloud, Noun, Thing } from './fake-cloud.ts'

/** The provider's cloud: the fake cloud, and the owner of its resources. */
export interface Ours {
  readonly fake: FakeCloud
  readonly owner: string
  readonly now: () => number
}

export interface FakeOutcome {
  readonly id: string
  readonly blessing?: string
}

const observation = (noun: Noun): Observation<Ours, readonly Thing[]> => ({
  name: `${noun}s`,
  observe: async ({ cloud, state }) => {
    const listed = await cloud.fake.list(noun)
    const known = new Set(listed.map(({ id }) => id))
    // A list may omit a resource that the state names.
    const missing = Object.values(state).filter(id => id.startsWith(`${noun}-`) && !known.has(id))
    const named = missing.length === 0 ? [] : await cloud.fake.get(noun, missing)
    return [...listed, ...named].filter(({ owner }) => owner === cloud.owner)
  },
})
const plots = observation('plot')
const beds = observation('bed')
const paths = observation('path')

const statusOf = (thing: Thing, now: number): FoundStatus => {
  if (thing.goneAt !== undefined) return 'deleting'
  if (thing.failed) return 'failed'
  return thing.readyAt > now ? 'pending' : 'ready'
}

const foundOf = (thing: Thing, now: number) => ({
  id: thing.id,
  key: thing.name,
  status: statusOf(thing, now),
  attributes: thing.attributes,
  outcome: { id: thing.id, ...(thing.attributes.blessing ? { blessing: thing.attributes.blessing } : {}) },
  uses: thing.on,
  // The mark of its create call names its owner. Without a mark, only the name hints at the owner.
  ...(thing.marked !== false && { mark: thing.id }),
  ...(thing.marked === false && thing.likely && { ours: 'likely' as const }),
})

const listOf =
  (things: Observation<Ours, readonly Thing[]>) =>
  async ({ read, cloud }: ListContext<Ours>) =>
    (await read(things)).map(thing => foundOf(thing, cloud.now()))

type PlotAttributes = { readonly climate: string; readonly blessing?: string }
export const plot: ResourceType<Ours, PlotAttributes, FakeOutcome> = {
  what: 'plot',
  list: listOf(plots),
  create: async ({ cloud: { fake, owner, now }, name, attributes }) =>
    foundOf(
      await fake.create('plot', { owner, name, on: [], attributes: { climate: attributes.climate } }),
      now(),
    ),
  update: async ({ cloud: { fake, now }, found, changes }) =>
    foundOf(await fake.change('plot', found.id, changed(changes)), now()),
  remove: async ({ cloud: { fake }, found }) => {
    await fake.remove('plot', found.id)
    return 'gone'
  },
  changesOutcome: attribute => attribute === 'blessing',
  once: { blessing: 'by update' },
  doubles: true,
}

type BedAttributes = { readonly plot: string; readonly soil: string; readonly blessing?: string | undefined }
export const bed: ResourceType<Ours, BedAttributes, FakeOutcome, { plot: FakeOutcome }> = {
  what: 'bed',
  replaces: ['plot', 'soil'],
  list: listOf(beds),
  create: async ({ cloud: { fake, owner, now }, name, attributes, needs, token }) => {
    const on = [needs.plot.id]
    const { plot, soil } = attributes
    return foundOf(await fake.create('bed', { owner, name, on, attributes: { plot, soil }, token }), now())
  },
  update: async ({ cloud: { fake, now }, found, changes }) =>
    foundOf(await fake.change('bed', found.id, changed(changes)), now()),
  remove: async ({ cloud: { fake }, found }) => {
    await fake.remove('bed', found.id)
    return 'going'
  },
  once: { blessing: 'by update' },
  usesToken: true,
  pollMs: 5_000,
}

type PathAttributes = Readonly<Record<string, string>>
export const path: ResourceType<Ours, PathAttributes, FakeOutcome, { from: FakeOutcome; to: FakeOutcome }> = {
  what: 'path',
  list: listOf(paths),
  create: async ({ cloud: { fake, owner, now }, name, needs: { from, to } }) =>
    foundOf(
      await fake.create('path', {
        owner,
        name,
        on: [from.id, to.id],
        attributes: { from: from.id, to: to.id },
      }),
      now(),
    ),
  update: async ({ cloud: { fake, now }, found, changes }) =>
    foundOf(await fake.change('path', found.id, changed(changes)), now()),
  remove: async ({ cloud: { fake }, found }) => {
    await fake.remove('path', found.id)
    return 'gone'
  },
  doubles: true,
  owns: attribute => attribute.startsWith('stone '),
  replaces: ['from', 'to'],
}

const changed = (changes: readonly { readonly attribute: string; readonly after: unknown }[]) =>
  Object.fromEntries(
    changes.map(({ attribute, after }) => [attribute, after === undefined ? undefined : String(after)]),
  )

export interface DesiredFakes {
  readonly climate: string
  readonly blessing?: string
  readonly beds: Readonly<Record<string, string>>
  readonly paths: readonly (readonly [from: string, to: string])[]
}

/** A graph of a plot with beds (name: soil) and paths between them. The beds get their blessing from the plot. */
export const fakeGraph = (desired: DesiredFakes) => {
  const graph: GraphBuilder<Ours> = graphOf<Ours>()
  const blessed = desired.blessing === undefined ? {} : { blessing: desired.blessing }
  const ground = graph.add(plot, '', { key: '', attributes: { climate: desired.climate, ...blessed } })
  const bedRefs = new Map<string, Ref<FakeOutcome>>()
  for (const [name, soil] of Object.entries(desired.beds)) {
    const attributes = { soil, plot: ground.get(({ id }) => id), blessing: ground.get(it => it.blessing) }
    bedRefs.set(name, graph.add(bed, name, { needs: { plot: ground }, attributes }))
  }
  for (const [one, other] of desired.paths) {
    const from = bedRefs.get(one)
    const to = bedRefs.get(other)
    if (from === undefined || to === undefined) continue
    graph.add(path, `${one}-${other}`, {
      needs: { from, to },
      // The attribute names depend on the needs.
      attributes: needs => ({
        from: needs.from.id,
        to: needs.to.id,
        [`stone ${needs.from.id}`]: 'granite',
        [`stone ${needs.to.id}`]: 'slate',
      }),
    })
  }
  graph.sweep(bed)
  graph.sweep(path)
  return { graph: graph.build(), ground, bedRefs }
}
