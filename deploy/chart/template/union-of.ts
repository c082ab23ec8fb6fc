import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type Addressed, addressed, scalarsByAddress } from './addressed.ts'
import type { Scalar, Templated, When, Word } from './templated.ts'

/** Builds a value with some of the items, and some of the switches on. */
export type Make<T> = (isThere: (item: string) => boolean, isOn: (name: string) => boolean) => T

/** The values with everything, with nothing, with each item alone, and without each switch. */
export interface Variants<T> {
  readonly all: T
  readonly none: T
  readonly alone: readonly (readonly [item: string, made: T])[]
  readonly without: readonly (readonly [name: string, made: T])[]
}

export const variantsOf = <T>(
  make: Make<T>,
  { items, switches }: { readonly items: readonly string[]; readonly switches: readonly string[] },
): Variants<T> => {
  const every = () => true
  return {
    all: make(every, every),
    none: make(() => false, every),
    alone: items.map(name => [name, make(item => item === name, every)] as const),
    without: switches.map(name => [name, make(every, one => one !== name)] as const),
  }
}

/** Returns a part of each variant. */
export const ofVariants = <T, U>(
  { all, none, alone, without }: Variants<T>,
  part: (made: T) => U,
): Variants<U> => ({
  all: part(all),
  none: part(none),
  alone: alone.map(([name, made]) => [name, part(made)] as const),
  without: without.map(([name, made]) => [name, part(made)] as const),
})

type FoundScalars = ReadonlyMap<string, Scalar | undefined>

interface Variant {
  readonly name: string
  readonly found: FoundScalars
}

/**
 * Returns all possible objects in their order, each part with its condition. A part of an item (a function) is included
 * if at least one item needs it; a part that a switch removes is included if the switch is on.
 *
 * Throws if the variants cannot be expressed by conditions.
 */
export const unionOf = (objects: Variants<readonly KubernetesObject[]>): readonly Templated[] => {
  const whole = addressed(objects.all)
  const known = scalarsByAddress(whole)
  const found = (made: readonly KubernetesObject[]): FoundScalars => {
    const scalars = scalarsByAddress(addressed(made, whole))
    const lost = [...scalars.keys()].find(address => !known.has(address))
    if (lost !== undefined) throw new Error(`there is no ${lost} where everything is`)
    return scalars
  }
  const none = found(objects.none)
  const alone = objects.alone.map(([name, made]): Variant => ({ name, found: found(made) }))
  const without = objects.without.map(([name, made]): Variant => ({ name, found: found(made) }))

  const templatedOf = (node: Addressed): Templated => {
    const when: When = {
      ...itemsOf(node.address, none, alone, one => one.has(node.address)),
      on: without.filter(one => !one.found.has(node.address)).map(({ name }) => name),
    }
    switch (node.kind) {
      case 'scalar':
        return [none, ...[...alone, ...without].map(one => one.found)].every(
          one => !one.has(node.address) || one.get(node.address) === node.value,
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

/** Returns the items that need a part, if any. */
const itemsOf = (
  what: string,
  none: FoundScalars,
  alone: readonly Variant[],
  isIn: (found: FoundScalars) => boolean,
): Pick<When, 'items'> => {
  if (isIn(none)) return {}
  const items = alone.filter(({ found }) => isIn(found)).map(({ name }) => name)
  if (items.length === 0) throw new Error(`no item alone brings ${what}`)
  return { items }
}

/** A list within a text is the only text that may differ. */
const wordsOf = (
  { address, value }: { readonly address: string; readonly value: Scalar },
  none: FoundScalars,
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
