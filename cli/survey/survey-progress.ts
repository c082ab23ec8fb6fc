export interface SurveyProgress {
  /** Objects that are finished. */
  readonly done: number
  /** Objects of this survey, without those before the place from which it resumes. */
  readonly total: number
}
