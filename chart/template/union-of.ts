import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { identify, type Node, nodeOf } from './identify.ts'

/** What can be in an installation or not; whatever one of them needs is there when one of them is. */
export interface Item {
  /** As it is called in conditions. */
  readonly name: string
}

/** What is switched by a value, whatever the items are. */
export interface Switch {
  readonly name: string
}

/** When a part of an object is there: one of the items is, and all of the switches are on. */
export interface When {
  /** Absent: whatever the items are. */
  readonly items?: readonly string[]
  readonly on: readonly string[]
}

/** An object with conditions on its parts. */
export type Templated =
  | { readonly kind: 'scalar'; readonly value: Scalar; readonly when: When }
  | { readonly kind: 'words'; readonly words: readonly Word[]; readonly when: When }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, Templated])[]; readonly when: When }
  | { readonly kind: 'list'; readonly items: readonly Templated[]; readonly when: When }

export type Scalar = string | number | boolean | null

/** One of the words of a text that lists them with commas. */
export interface Word {
  readonly word: string
  readonly when: When
}

/** The objects of an installation with some of the items and switches. */
export type Make = (
  isThere: (item: string) => boolean,
  isOn: (name: string) => boolean,
) => readonly KubernetesObject[]

/**
 * All objects that there can be, each part under the condition by which it is there. What is made is asked with everything,
 * with nothing, with each item alone and without each switch: what does not follow from these cannot be told by
 * conditions, and throws.
 */
export const unionOf = (
  make: Make,
  items: readonly string[],
  switches: readonly string[],
): readonly { readonly object: KubernetesObject; readonly templated: Templated }[] => {
  const all = () => true
  const objects = make(all, all)
  const whole = nodeOf(objects)
  const none = identify(whole, nodeOf(make(() => false, all)))
  const alone = items.map(name => ({
    name,
    found: identify(whole, nodeOf(make(item => item === name, all))),
  }))
  const without = switches.map(name => ({
    name,
    found: identify(
      whole,
      nodeOf(make(all, one => one !== name)),
    ),
  }))

  const whenOf = (address: string): When => {
    const on = without.filter(({ found }) => !found.has(address)).map(({ name }) => name)
    if (none.has(address)) return { on }
    const needed = alone.filter(({ found }) => found.has(address)).map(({ name }) => name)
    if (needed.length === 0) throw new Error(`no item alone brings ${address}`)
    return { items: needed, on }
  }

  const templatedOf = (node: Node): Templated => {
    const when = whenOf(node.address)
    switch (node.kind) {
      case 'scalar': {
        const others = [...alone.map(({ found }) => found), none, ...without.map(({ found }) => found)]
          .map(found => found.get(node.address))
          .filter(value => value !== undefined)
        if (others.every(value => value === node.value)) return { kind: 'scalar', value: node.value, when }
        return { kind: 'words', words: wordsOf(node.address, String(node.value)), when }
      }
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

  /** A list in one text is the only thing that may differ as a text. */
  const wordsOf = (address: string, text: string): readonly Word[] => {
    if (without.some(({ found }) => found.has(address) && found.get(address) !== text))
      throw new Error(`a switch changes ${address}`)
    const has = (found: ReadonlyMap<string, unknown>, word: string) =>
      String(found.get(address) ?? '')
        .split(',')
        .includes(word)
    return text.split(',').map(word => {
      if (has(none, word)) return { word, when: { on: [] } }
      const needed = alone.filter(({ found }) => has(found, word)).map(({ name }) => name)
      if (needed.length === 0) throw new Error(`no item alone brings ${word} to ${address}`)
      return { word, when: { items: needed, on: [] } }
    })
  }

  if (whole.kind !== 'list') throw new TypeError('objects are a list')
  return whole.items.map((node, index) => {
    const object = objects[index]
    if (object === undefined) throw new RangeError(`there is no object ${index}`)
    return { object, templated: templatedOf(node) }
  })
}
