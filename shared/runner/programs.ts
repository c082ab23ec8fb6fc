import * as z from 'zod'
import { extensionClasses } from '../contract/constants.ts'
import { kindNames } from '../contract/kinds.ts'
import { parsedJson } from '../decode/record-of.ts'
import { defaultConcurrency } from '../runtime/runtime.ts'

const unitBytes: Readonly<Record<string, number>> = {
  '': 1,
  ...{ k: 1e3, M: 1e6, G: 1e9 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 },
}

const quantity = /^(\d+(?:\.\d+)?)([kMG]|[KMG]i)?$/

/** A Kubernetes quantity of memory, as bytes. */
const memory = z
  .string()
  .regex(quantity, { error: 'expected a quantity of memory such as 384Mi' })
  .transform(text => {
    const [, number = '0', unit = ''] = quantity.exec(text) ?? []
    return Math.floor(Number(number) * (unitBytes[unit] ?? 1))
  })

/** The name is also that of a folder. */
const name = z
  .string()
  .regex(/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/, { error: 'expected a name such as acme-compact' })

const functionSchema = z.strictObject({
  name,
  kind: z.enum(kindNames),
  /** `spec.type` */
  types: z.array(z.string().min(1)).min(1),
  classes: z.array(z.enum(extensionClasses)).min(1).default(['shoot']),
  /** The most events in progress. 0: no limit. */
  concurrency: z.int().min(0).default(defaultConcurrency),
})

const programSchema = z.strictObject({
  name,
  /** The process is stopped above this size. */
  memory: memory.prefault('384Mi'),
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()).default({}),
  functions: z.array(functionSchema).min(1),
})

/** A process that hosts one or several functions. */
export type HostedProgram = Readonly<z.output<typeof programSchema>>
export type HostedFunction = HostedProgram['functions'][number]

/**
 * Reads the programs of a seed process from JSON: `[{"name":"acme-compact","functions":[{"name":"acme-dnsrecord",
 * "kind":"DNSRecord","types":["acme-dns"]}]}]`. Throws a TypeError that names each wrong entry.
 */
export const parsePrograms = (text: string): readonly HostedProgram[] => {
  const given = parsedJson(text)
  if (given === undefined) throw new TypeError('expected JSON')
  if (!Array.isArray(given) || given.length === 0)
    throw new TypeError('expected a JSON list of programs such as [{"name":"acme-compact","functions":[…]}]')
  const read = given.map((entry: unknown, index) => {
    const parsed = programSchema.safeParse(entry)
    return parsed.success
      ? { program: parsed.data, problems: [] }
      : { problems: parsed.error.issues.map(issue => `${entryName(entry, index)}: ${describeIssue(issue)}`) }
  })
  const programs = read.flatMap(({ program }) => (program === undefined ? [] : [program]))
  const problems = [...read.flatMap(each => each.problems), ...repeated(programs)]
  if (problems.length > 0) throw new TypeError(problems.join('; '))
  return programs
}

/** `programs[0] acme-compact` */
const entryName = (entry: unknown, index: number): string => {
  const given = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined
  return `programs[${index}]${typeof given === 'string' ? ` ${given}` : ''}`
}

/** `functions[2].kind: expected one of …` */
const describeIssue = ({ path, message }: z.core.$ZodIssue): string => {
  const at = path.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return at === '' ? message : `${at.replace(/^\./, '')}: ${message}`
}

/** Two programs with one name, or two functions for the same objects. */
const repeated = (programs: readonly HostedProgram[]): readonly string[] => {
  const problems: string[] = []
  const seen = new Map<string, string>()
  const expectOnce = (what: string, owner: string) => {
    const first = seen.get(what)
    if (first === undefined) seen.set(what, owner)
    else problems.push(`${owner}: ${what} is already in ${first}`)
  }
  programs.forEach((program, index) => {
    const owner = `programs[${index}] ${program.name}`
    expectOnce(`the program ${program.name}`, owner)
    for (const { name, kind, types } of program.functions) {
      expectOnce(`the function ${name}`, owner)
      for (const type of new Set(types)) expectOnce(`${kind} of the type ${type}`, owner)
    }
  })
  return problems
}

/**
 * The path of a function's events: `/` in the program of one function, which has its name, and `/<function>` in a
 * program of several, also if it has only one.
 */
export const pathOf = (program: Pick<HostedProgram, 'name'>, { name }: HostedFunction): string =>
  program.name === name ? '/' : `/${name}`
