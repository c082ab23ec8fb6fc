import type { NodeState, TreeNode } from '../../observe/observe.ts'

/** A box of the map: a resource with the resources inside it. */
export interface MapBox {
  /** The id of its node. Empty: a zone, which is no node. */
  readonly node: string
  readonly type: string
  readonly name: string
  readonly state: NodeState
  readonly inside: readonly MapBox[]
}

interface PlacedResource {
  readonly node: TreeNode
  readonly type: string
  readonly id: string
  readonly zone?: string
  readonly within?: string
}

/**
 * Arranges the resources of a cloud as nested boxes: a resource is inside of the one that contains it, and inside of
 * its zone if the container has none.
 */
export const cloudMap = (trees: readonly TreeNode[]): readonly MapBox[] => {
  const all = new Map<string, PlacedResource>()
  const collect = (node: TreeNode) => {
    if (node.kind === 'cloud resource') {
      const placed = placedOf(node)
      // Two objects may name one resource, such as a VPC.
      if (!all.has(placed.id)) all.set(placed.id, placed)
    }
    node.children.forEach(collect)
  }
  trees.forEach(collect)

  const containerOf = ({ id, within }: PlacedResource): string =>
    within !== undefined && within !== id && all.has(within) && !isCircular(all, id) ? within : ''
  const contents = Map.groupBy(all.values(), containerOf)
  joinZones(contents, all)
  const boxOf = (placed: PlacedResource): MapBox => ({
    node: placed.node.id,
    type: placed.type,
    name: placed.id,
    state: placed.node.state,
    inside: inZones(contents.get(placed.id) ?? [], placed.zone),
  })
  const inZones = (placed: readonly PlacedResource[], outer: string | undefined): readonly MapBox[] => {
    const zones = Map.groupBy(placed, ({ zone }) => (zone === outer ? '' : (zone ?? '')))
    const direct = (zones.get('') ?? []).map(boxOf)
    zones.delete('')
    const grouped = [...zones]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([zone, inside]) => ({
        node: '',
        type: 'zone',
        name: zone,
        state: 'ok' as const,
        inside: inside.map(boxOf).toSorted(byType),
      }))
    return [...grouped, ...direct.toSorted(byType)]
  }
  return inZones(contents.get('') ?? [], undefined).toSorted(
    (a, b) => b.inside.length - a.inside.length || byType(a, b),
  )
}

/**
 * A machine names its zone but not its network. If one container has all zones of a cloud, the others of these zones
 * are inside of it, too.
 */
const joinZones = (
  contents: Map<string, PlacedResource[]>,
  all: ReadonlyMap<string, PlacedResource>,
): void => {
  const zonesIn = (id: string) => new Set((contents.get(id) ?? []).flatMap(({ zone }) => zone ?? []))
  const holders = [...contents.keys()].filter(
    id => id !== '' && all.get(id)?.zone === undefined && zonesIn(id).size > 0,
  )
  const [holder] = holders
  if (holder === undefined || holders.length > 1) return
  const zones = zonesIn(holder)
  const outside = contents.get('') ?? []
  const joins = ({ zone }: PlacedResource) => zone !== undefined && zones.has(zone)
  contents.get(holder)?.push(...outside.filter(joins))
  contents.set(
    '',
    outside.filter(placed => !joins(placed)),
  )
}

const byType = (a: MapBox, b: MapBox): number => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0)

const placedOf = (node: TreeNode): PlacedResource => {
  const { resource } = node as { readonly resource?: Omit<PlacedResource, 'node'> }
  return resource === undefined ? { node, type: 'resource', id: node.title } : { ...resource, node }
}

/** Returns true if a resource contains itself, which only a broken journal says. */
const isCircular = (all: ReadonlyMap<string, PlacedResource>, id: string): boolean => {
  const seen = new Set<string>()
  for (let next: string | undefined = id; next !== undefined; next = all.get(next)?.within) {
    if (seen.has(next)) return true
    seen.add(next)
  }
  return false
}
