import type { Invariants, KnownObject, ObjectName } from '../../../../simulation/invariants/invariants.ts'
import type { Book, BookedRow } from './book.ts'

/**
 * Returns the place of a resource in its object: a second one in the same place is a double. Undefined: it comes with
 * another one.
 */
const placeIn = ({ place, value }: BookedRow): string | undefined => {
  const table = place.slice(place.lastIndexOf(' ') + 1)
  const tags = (value.tags ?? []) as readonly { readonly Key: string; readonly Value: string }[]
  const name = tags.find(({ Key }) => Key === 'Name')?.Value
  switch (table) {
    case 'vpcs':
    case 'dhcpOptions':
    case 'internetGateways':
    case 'egressOnlyGateways':
    case 'keyPairs':
    case 'fileSystems':
    case 'instances':
      return table
    case 'subnets':
      return `${table} ${value.cidr}`
    case 'natGateways':
    case 'mountTargets':
    case 'subnetReservations':
      return `${table} ${value.subnetId}`
    case 'vpcEndpoints':
      return `${table} ${value.serviceName}`
    case 'securityGroups':
      return value.name === 'default' ? undefined : `${table} ${value.name}`
    case 'routeTables':
    case 'addresses':
      // The main route table of a VPC has no name.
      return name && `${table} ${name}`
    default:
      return undefined
  }
}

const own = (book: Book, name: ObjectName): readonly BookedRow[] =>
  book.rows().filter(({ owner }) => owner === name)

const text = ({ place, value: { id, name, arn } }: BookedRow): string => `${place} ${id ?? arn ?? name}`

/** Checks that nothing is left of objects that are gone, and that nothing of present ones exists twice. */
export const checkRest = (
  { problems, objects }: Pick<Invariants, 'problems' | 'objects'>,
  book: Book,
): void => {
  for (const [name, object] of objects.all()) {
    if (object.isReleased) continue
    const isGone = object.seeds.size === 0
    if (isGone) for (const row of own(book, name)) problems.add('nothing is left', `${text(row)} of ${name}`)
    if (isGone || !object.isDone || object.isDeleting) continue
    for (const [place, rows] of Map.groupBy(own(book, name), placeIn))
      if (place !== undefined && rows.length > 1)
        problems.add('nothing is doubled', `${name} has ${rows.map(text).join(' and ')}`)
  }
}

/**
 * Watches that no complete resource is replaced: at each success of an object, a place has the resource that it had at
 * the success before, unless the spec changed or others changed the resource.
 */
export const watchReplacements = (
  { problems, objects }: Pick<Invariants, 'problems' | 'objects'>,
  book: Book,
) => {
  const complete = new Map<ObjectName, ReadonlyMap<string, string>>()
  const specs = new Map<ObjectName, string>()
  const touched = new Set<string>()
  const see = (name: ObjectName, object: KnownObject): void => {
    if (object.isDeleting || object.seeds.size === 0) return void complete.delete(name)
    if (!object.isDone) return
    const spec = JSON.stringify(object.spec)
    const before = specs.get(name) === spec ? complete.get(name) : undefined
    const now = new Map<string, string>()
    for (const row of own(book, name)) {
      const place = placeIn(row)
      if (place !== undefined) now.set(place, String(row.value.id))
    }
    for (const [place, id] of before ?? []) {
      const other = now.get(place)
      if (other !== undefined && other !== id && !touched.has(id))
        problems.add('nothing is doubled', `${name} replaced ${id} by ${other}, although it was complete`)
    }
    complete.set(name, now)
    specs.set(name, spec)
  }
  objects.follow(see)
  return {
    /** Others have changed a resource, so its object may replace it. */
    touch: (id: string): void => void touched.add(id),
  }
}
