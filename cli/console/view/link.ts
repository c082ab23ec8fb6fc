/** The parts of the page. */
export const viewNames = ['tree', 'timeline', 'changes', 'cloud', 'plan'] as const
export type ViewName = (typeof viewNames)[number]

/** The parts of the details of an object. */
export const tabNames = ['manifest', 'events', 'steps'] as const
export type TabName = (typeof tabNames)[number]

/** The content of a link to a place in the console. */
export interface ConsoleLink {
  readonly shoot?: string
  /** In ms since 1970. Undefined: now, or the end of the journal. */
  readonly at?: number
  /** The other moment of a difference. */
  readonly from?: number
  readonly view: ViewName
  /** The id of a node. */
  readonly node?: string
  readonly tab?: TabName
}

/** Reads `?shoot=…&at=…`. Ignores unknown and malformed parts, because people write links by hand. */
export const parseLink = (search: string): ConsoleLink => {
  const query = new URLSearchParams(search)
  const time = (name: string): number | undefined => {
    const text = query.get(name) ?? ''
    const value = /^\d{11,14}$/.test(text) ? Number(text) : Date.parse(text)
    return Number.isNaN(value) ? undefined : value
  }
  // The Dashboard of Gardener knows the names in the garden.
  const [namespace, name] = [query.get('namespace'), query.get('name')]
  const shoot = query.get('shoot') ?? (namespace && name ? `${namespace}/${name}` : undefined)
  const node = query.get('node') ?? undefined
  const tab = tabNames.find(name => name === query.get('tab'))
  const at = time('at')
  const from = time('from')
  return {
    view: viewNames.find(name => name === query.get('view')) ?? 'tree',
    ...(shoot !== undefined && { shoot }),
    ...(at !== undefined && { at }),
    ...(from !== undefined && { from }),
    ...(node !== undefined && { node }),
    ...(tab !== undefined && { tab }),
  }
}

/** Returns `?shoot=…&at=…`, with times that people can read. */
export const linkText = ({ shoot, at, from, view, node, tab }: ConsoleLink): string => {
  const query = new URLSearchParams()
  if (shoot !== undefined) query.set('shoot', shoot)
  if (at !== undefined) query.set('at', new Date(at).toISOString())
  if (from !== undefined) query.set('from', new Date(from).toISOString())
  if (view !== 'tree') query.set('view', view)
  if (node !== undefined) query.set('node', node)
  if (node !== undefined && tab !== undefined && tab !== 'manifest') query.set('tab', tab)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
