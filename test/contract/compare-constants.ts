import type { Correspondence } from './correspondence.ts'
import type { Drift } from './drift.ts'
import type { GoConstant } from './go-constants.ts'

/** Compares declared texts with the Go constants that correspond to them. */
export const compareConstants = (
  declared: ReadonlyMap<string, readonly string[]>,
  correspondences: Readonly<Record<string, Correspondence>>,
  constants: readonly GoConstant[],
): readonly Drift[] => {
  const byName = new Map(constants.map(one => [`${one.package}.${one.name}`, one.value]))
  const compareOne = (subject: string, text: string, name: string): readonly Drift[] => {
    const value = byName.get(name)
    if (value === undefined) return [{ subject, problem: 'missing', trellis: text, gardener: `no ${name}` }]
    return value === text ? [] : [{ subject, problem: 'different', trellis: text, gardener: value }]
  }
  return [...declared].flatMap(([subject, texts]) => {
    const wanted = correspondences[subject]
    if (wanted === undefined) throw new Error(`${subject} of shared/contract has no entry in correspondences`)
    if ('none' in wanted) return []
    if ('key' in wanted) return compareOne(subject, subject.split('.').at(-1) ?? '', wanted.key)
    if ('constants' in wanted)
      return wanted.constants.flatMap((name, at) => compareOne(subject, texts[at] ?? '', name))
    const values = new Set(
      constants.filter(one => `${one.package}.${one.type}` === wanted.type).map(one => one.value),
    )
    const missing = texts.filter(text => !values.has(text))
    const added = [...values].filter(value => !texts.includes(value) && !(value in wanted.except))
    return [
      ...missing.map(text => ({ subject, problem: 'missing' as const, trellis: text, gardener: '' })),
      ...added.map(value => ({ subject, problem: 'new' as const, trellis: '', gardener: value })),
    ]
  })
}
