import { type ExtensionRegistration, RegistrationError } from './registered.ts'

/** The part of an object that declares references. Absent without references. */
interface ReferencingPart {
  readonly resources?: readonly {
    readonly name: string
    readonly resourceRef: { readonly apiVersion: 'v1'; readonly kind: string; readonly name: string }
  }[]
}

const expression = /\{\{[^{}]*\}\}/g
const reference = /^\{\{\s*\.resources\.([a-zA-Z0-9]+)\.data\.[a-zA-Z0-9]+\s*\}\}$/

/**
 * Returns the declaration of the Secrets and ConfigMaps that the values reference
 * (docs/contract/registration.md#references). Throws a `RegistrationError` for names and templates that Gardener
 * refuses.
 *
 * @param values all values in which Gardener replaces templates
 */
export const resourceReferences = (
  resources: ExtensionRegistration['resources'] = [],
  ...values: readonly unknown[]
): ReferencingPart => {
  const names = new Set<string>()
  for (const { name } of resources) {
    if (!/^[a-zA-Z0-9]+$/.test(name))
      throw new RegistrationError(
        `${JSON.stringify(name)} is not a name of a resource: expected letters and digits`,
      )
    if (names.has(name)) throw new RegistrationError(`the resource ${name} is given twice. Rename one`)
    names.add(name)
  }
  for (const text of values.flatMap(textsOf)) checkTemplates(text, names)
  if (resources.length === 0) return {}
  return {
    resources: resources.map(({ name, kind, object }) => ({
      name,
      resourceRef: { apiVersion: 'v1', kind, name: object },
    })),
  }
}

/** An error shows the template only: the rest of a value may be a credential. */
const checkTemplates = (text: string, names: ReadonlySet<string>): void => {
  for (const found of text.match(expression) ?? []) {
    const [, name] = reference.exec(found) ?? []
    if (name === undefined)
      throw new RegistrationError(
        `a value contains ${found}. Gardener accepts only {{ .resources.NAME.data.KEY }}, with letters and digits`,
      )
    if (!names.has(name))
      throw new RegistrationError(
        `a value contains ${found}, but no resource has this name. Add --resources ${name}=Secret/OBJECT`,
      )
  }
  if (/\{\{|\}\}/.test(text.replaceAll(expression, '')))
    throw new RegistrationError(
      'a value contains {{ or }} outside a template, which Gardener refuses. Remove the braces',
    )
}

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
