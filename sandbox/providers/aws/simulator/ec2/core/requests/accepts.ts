import { unsupported } from '../refusals.ts'

type MemberOf<Value> = Value extends readonly (infer Member)[] ? Member : Value

type Nested<Value> = Value extends Date | Uint8Array
  ? true
  : Value extends object
    ? Accepts<Value> | true
    : true

/** The input members that an operation supports. `true` means a member with everything in it. */
export type Accepts<Input> = {
  readonly [Name in keyof Input]?: Nested<MemberOf<NonNullable<Input[Name]>>>
}

/** The members of a tag specification. */
export const acceptsTags = { ResourceType: true, Tags: { Key: true, Value: true } } as const

const refuseUnknown = (value: unknown, accepts: unknown, path: string, action: string): void => {
  if (accepts === true || value === undefined) return
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      refuseUnknown(item, accepts, `${path}${index + 1}.`, action)
    })
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    const known = (accepts as Readonly<Record<string, unknown>>)[name]
    if (known === undefined) throw unsupported(`the parameter ${path}${name} of ${action}`)
    refuseUnknown(member, known, `${path}${name}.`, action)
  }
}

/**
 * Refuses an input with members that the operation would otherwise ignore.
 *
 * @throws AwsError UnsupportedOperation, with the member's name
 */
export const checkAccepted = <Input extends object>(
  input: Input,
  accepts: Accepts<Input>,
  action: string,
): void => refuseUnknown(input, accepts, '', action)
