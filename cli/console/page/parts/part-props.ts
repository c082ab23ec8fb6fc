import type { Controls } from '../controls.ts'
import type { ConsoleState } from '../state.ts'

/** Every part reads the state and calls the controls. */
export interface PartProps {
  readonly state: ConsoleState
  readonly controls: Controls
}
