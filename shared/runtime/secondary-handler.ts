import type { ExtensionEvent } from '../events/events.ts'
import type { StepOutcome } from '../lifecycle/lifecycle.ts'
import type { ObservationDeps, SecondaryActuator, SecondaryDefinition } from '../secondary/secondary.ts'
import { callPlaceOf } from './definition/call-place.ts'
import type { FunctionDefinition } from './definition/definition.ts'
import { formatPlace } from './definition/definition-error.ts'

/** Handles the events of a secondary function. It ignores those of primary functions. */
export const secondaryHandler =
  ({
    definition,
    secondary,
    actuator,
    ...ports
  }: Pick<ObservationDeps, 'kubernetes' | 'clock' | 'log' | 'limits'> & {
    readonly definition: FunctionDefinition
    readonly secondary: SecondaryDefinition
    readonly actuator: SecondaryActuator
  }) =>
  async (
    event: ExtensionEvent,
    signal: AbortSignal,
    onFailure?: (why: string) => void,
  ): Promise<StepOutcome> => {
    if (event.operation !== 'observe') return { kind: 'recorded', how: 'nothing-to-do' }
    const { name, kind, types, classes, place } = definition
    const { conditions } = secondary
    // Loaded on demand, because most functions are primary.
    const { runObservation } = await import('../secondary/run-observation.ts')
    const placeOf: ObservationDeps['placeOf'] = called => {
      const found = callPlaceOf(called)
      return found && formatPlace(found)
    }
    return runObservation(
      {
        ...ports,
        definition: { name, kind, types, classes, conditions },
        actuator,
        place: place && formatPlace(place),
        placeOf,
        onFailure,
      },
      event,
      signal,
    )
  }
