import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type Addressed, addressed, scalarsByAddress } from './addressed.ts'
import type { Scalar, Templated, When, Word } from './templated.ts'

/** The objects of an installation with some of the items, and some of the switches on. */
export type MakeObjects = (
  isThere: (item: string) => boolean,
  isOn: (name: string) => boolean,
) => readonly KubernetesObject[]

type Found = ReadonlyMap<string, Scalar | undefined>

interface Variant {
  readonly name: string
  readonly found: Found
}

/**
 * All objects that there can be, in their order, each part under the condition by which it is there. Of an item (a function) a part
 * is there when any that needs it is; what a switch takes away is there when it is on.
 *
 * The objects are made with everything, with nothing, with each item alone and without each switch. What does not follow from
 * these cannot be told by conditions, and throws.
 */
export const unionOf = (
  make: MakeObjects,
  { items, switches }: { readonly items: readonly string[]; readonly switches: readonly string[] },
): readonly Templated[] => {
  const all = () => true
  const whole = addressed(make(all, all))
  const known = scalarsByAddress(whole)
  const variant = (objects: readonly KubernetesObject[]): Found => {
    const found = scalarsByAddress(addressed(objects, whole))
    const lost = [...found.keys()].find(address => !known.has(address))
    if (lost !== undefined) throw new Error(`there is no ${lost} where everything is`)
    return found
  }
  const none = variant(make(() => false, all))
  const alone = items.map(name => ({ name, found: variant(make(item => item === name, all)) }))
  const without = switches.map(name => ({ name, found: variant(make(all, one => one !== name)) }))

  const templatedOf = (node: Addressed): Templated => {
    const when: When = {
      ...itemsOf(node.address, none, alone, found => found.has(node.address)),
      on: without.filter(({ found }) => !found.has(node.address)).map(({ name }) => name),
    }
    switch (node.kind) {
      case 'scalar':
        return [none, ...[...alone, ...without].map(({ found }) => found)].every(
          found => !found.has(node.address) || found.get(node.address) === node.value,
        )
          ? { kind: 'scalar', value: node.value, when }
          : { kind: 'words', words: wordsOf(node, none, alone), when }
      case 'map':
        return {
          kind: 'map',
          entries: node.entries.map(([key, value]) => [key, templatedOf(value)] as const),
          when,
        }
      case 'list':
        return { kind: 'list', items: node.items.map(templatedOf), when }
    }
  }
  return whole.kind === 'list' ? whole.items.map(templatedOf) : []
}

/** Which items something needs, if any. */
const itemsOf = (
  what: string,
  none: Found,
  alone: readonly Variant[],
  isIn: (found: Found) => boolean,
): Pick<When, 'items'> => {
  if (isIn(none)) return {}
  const items = alone.filter(({ found }) => isIn(found)).map(({ name }) => name)
  if (items.length === 0) throw new Error(`no item alone brings ${what}`)
  return { items }
}

/** A list in one text is all that may differ as a text. */
const wordsOf = (
  { address, value }: { readonly address: string; readonly value: Scalar },
  none: Found,
  alone: readonly Variant[],
): readonly Word[] =>
  String(value)
    .split(',')
    .map(word => ({
      word,
      when: {
        ...itemsOf(`${word} to ${address}`, none, alone, found =>
          String(found.get(address) ?? '')
            .split(',')
            .includes(word),
        ),
        on: [],
      },
    }))
