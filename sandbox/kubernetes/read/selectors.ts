import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { badRequest } from '../requests/api-error.ts'
import { firstAt } from '../resources/first-at.ts'

/** Returns true if an object belongs to a list or a watch. */
export type Predicate = (object: KubernetesObject) => boolean

type LabelTest = (labels: Readonly<Record<string, string>>) => boolean

/** Commas outside of parentheses separate the requirements. */
const splitRequirements = (selector: string): readonly string[] => {
  const parts = ['']
  let isInside = false
  for (const character of selector) {
    if (character === '(' || character === ')') isInside = character === '('
    if (character === ',' && !isInside) parts.push('')
    else parts.push(`${parts.pop()}${character}`)
  }
  return parts.map(part => part.trim()).filter(part => part !== '')
}

const labelTest = (text: string): LabelTest => {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text)
  if (set) {
    const [, key = '', operator, list = ''] = set
    const values = new Set(list.split(',').map(value => value.trim()))
    return operator === 'in'
      ? labels => labels[key] !== undefined && values.has(labels[key])
      : labels => labels[key] === undefined || !values.has(labels[key])
  }
  const equality = /^([^\s=!]+)\s*(==|=|!=)\s*([^\s=!]*)$/.exec(text)
  if (equality) {
    const [, key = '', operator, value] = equality
    return operator === '!=' ? labels => labels[key] !== value : labels => labels[key] === value
  }
  if (/^![^\s=!]+$/.test(text)) {
    const key = text.slice(1)
    return labels => labels[key] === undefined
  }
  if (/^[^\s=!<>()]+$/.test(text)) return labels => labels[text] !== undefined
  throw badRequest(
    `unable to parse requirement: found '${text}', expected: an operator such as in, notin, =, ==, !=`,
  )
}

/** Parses `app=x,tier!=y,env in (a,b),!old`. Returns 400 if it is invalid. */
export const labelSelector = (selector: string): Predicate => {
  const tests = splitRequirements(selector).map(labelTest)
  return object => {
    const labels = object.metadata.labels ?? {}
    return tests.every(test => test(labels))
  }
}

/** Returns a value as field selectors compare it. An absent value is the empty text. */
const selectable = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/**
 * Parses `metadata.name=x,spec.type!=y`. Returns 400 for fields that the resource does not offer. `offered` are paths
 * like `.spec.type`.
 */
export const fieldSelector = (selector: string, offered: readonly string[]): Predicate => {
  const tests = selector
    .split(',')
    .filter(part => part !== '')
    .map((part): Predicate => {
      const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(part)
      if (!match) throw badRequest(`invalid selector: '${selector}'; can't understand '${part}'`)
      const [, field = '', operator, value = ''] = match
      const known = ['.metadata.name', '.metadata.namespace', ...offered]
      if (!known.includes(`.${field}`)) throw badRequest(`field label not supported: ${field}`)
      const wanted = value.replace(/\\(.)/g, '$1')
      return object => (selectable(firstAt(object, `.${field}`)) === wanted) === (operator !== '!=')
    })
  return object => tests.every(test => test(object))
}
