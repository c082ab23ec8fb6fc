/** The admission of a Shoot with a new WorkerConfig or an unchanged one, or a step of its Worker. */
export type CheckedBy = 'admission' | 'admission of the same' | 'step'
