import { describe, inject, type ProvidedContext, test } from 'vitest'

type Present<Name extends keyof ProvidedContext> = Exclude<ProvidedContext[Name], { missing: string }>

/**
 * Defines a suite that needs programs of the machine. Without them, it is skipped, and its name has the missing
 * program.
 */
export const describeWith = <Name extends keyof ProvidedContext>(
  part: Name,
  name: string,
  suite: (programs: Present<Name>) => void,
): void => {
  // Narrowing the union of all parts is too much for the compiler.
  const programs: unknown = inject(part)
  const { missing } = Object(programs) as { readonly missing?: string }
  if (missing !== undefined) describe(name, () => test.skip(missing, () => {}))
  else describe(name, () => suite(programs as Present<Name>))
}
