import type { Call, Handler } from '../service.ts'
import { notBuilt } from './not-built.ts'

/**
 * Declares the input members that an operation supports. A call with any other member fails and names it, so no test
 * passes because the simulator ignored a parameter.
 *
 * @example const handlers = { GetRole: takes(getRole, 'RoleName') }
 */
export const takes =
  <Input extends object, State extends object>(
    handler: (input: Input, call: Call<State>) => object,
    ...members: readonly (keyof Input & string)[]
  ): Handler<State> =>
  (input: Input, call: Call<State>) => {
    refuseOthers(input, members)
    return handler(input, call)
  }

/**
 * The same check for a structure within an input.
 *
 * @throws NotBuilt
 */
export const refuseOthers = <Value extends object>(
  value: Value,
  members: readonly (keyof Value & string)[],
  place = '',
): void => {
  const known: readonly string[] = members
  const other = Object.keys(value).find(name => !known.includes(name))
  if (other !== undefined) throw notBuilt(`the parameter ${place}${other}`)
}
