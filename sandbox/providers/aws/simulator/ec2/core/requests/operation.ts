import { type Handler, refuse } from '../../../service.ts'
import { prepareRegion } from '../../prepare-region.ts'
import { createContext, type Ec2, type ResolvedSettings } from '../context.ts'
import type { Ec2State } from '../state.ts'
import { type Accepts, checkAccepted } from './accepts.ts'
import { checkForm } from './form.ts'

/** An operation that still needs its name and settings. */
export type OpenOperation = (action: string, settings: ResolvedSettings) => Handler<Ec2State>

/**
 * Builds an operation from the parameters that it accepts and its function. `run` refuses by throwing AwsError; the
 * rows that it changed are then rolled back.
 */
export const operation =
  <Input extends object, Output extends object>(
    accepts: Accepts<Omit<Input, 'DryRun'>>,
    run: (input: Input, ec2: Ec2) => Output,
  ): OpenOperation =>
  (action, settings) =>
  (input, call) => {
    checkForm(call.request, action)
    const { DryRun, ...parameters }: Input & { readonly DryRun?: boolean } = input
    checkAccepted<Omit<Input, 'DryRun'>>(parameters as unknown as Omit<Input, 'DryRun'>, accepts, action)
    // `DryRun` checks only the permission, which has passed by now (API reference).
    if (DryRun) {
      throw refuse('DryRunOperation', 'Request would have succeeded, but DryRun flag is set.', {
        status: 412,
      })
    }
    const find = settings.instanceProfile
    const ec2 = createContext(
      {
        ...call,
        accountId: call.principal.accountId,
        ...(find ? { instanceProfile: wanted => find(call, wanted) } : {}),
      },
      settings,
    )
    prepareRegion(ec2, settings)
    for (const table of Object.values(ec2.tables)) table.commit()
    try {
      const output = run(input, ec2)
      if (ec2.remembers > 0) {
        const seen = { at: ec2.now, until: ec2.now + ec2.remembers }
        for (const table of Object.values(ec2.tables)) table.commit(seen)
      }
      return output
    } catch (error) {
      // `run` may have changed rows before it failed.
      for (const table of Object.values(ec2.tables)) table.rollback()
      throw error
    }
  }

/** Returns the handlers of a set of operations. */
export const handlersOf = (
  operations: Readonly<Record<string, OpenOperation>>,
  settings: ResolvedSettings,
): Record<string, Handler<Ec2State>> =>
  Object.fromEntries(Object.entries(operations).map(([name, make]) => [name, make(name, settings)]))
