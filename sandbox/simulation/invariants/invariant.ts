/**
 * Sentences that must be true in every run, whatever its scenario. An invariant does not compare with a recorded run:
 * observers beside the world check it.
 */
export const invariants = {
  'nothing of others is touched':
    'No write of a function names a resource that its object did not create, beyond what its config or the contract allows.',
  'nothing is left': 'When a deletion has ended, nothing exists that a write for its object created.',
  'nothing is doubled':
    'At rest a desired resource exists once, and a complete one is never deleted while it is desired.',
  'the live state is the wanted one':
    'At each success and at rest, cloud and objects are those of a new creation of the same objects.',
  'credentials never cross accounts':
    'The access key of each call belongs to the object for which the step works.',
  'a newer request is never lost':
    'The last request of each object is fulfilled, and no step writes the outcome of an older one after it.',
  'a patch never overwrites what it has not read':
    'Each write of an outcome, a claim, replicas or a list that others write too names the version that it changes, and each deletion the uid.',
  'every wait has a reason, every operation an end':
    'While an object is not done, its status says why, and no step or object makes more calls than its bound.',
  'no error without a cause':
    'If nothing fails, no operation fails: lists in any order, in small pages and with repeated items are no failure.',
  'a pause holds': 'No step of a paused object starts, and after the pause everything is done.',
  'idle means idle': 'An unchanged object that is done causes no write.',
} as const

export type Invariant = keyof typeof invariants

/** Returns the sentence of a broken invariant: its name first, for reports. */
export const broken = (invariant: Invariant, what: string): string => `${invariant}: ${what}`

/** Broken invariants of a run, each sentence once. */
export interface Problems {
  add(invariant: Invariant, what: string): void
  all(): readonly string[]
}

/** A broken invariant often breaks many times. */
const most = 20

export const createProblems = (): Problems => {
  const sentences = new Set<string>()
  return {
    add: (invariant, what) => {
      if (sentences.size < most) sentences.add(broken(invariant, what))
    },
    all: () => [...sentences],
  }
}
