/** The exports that pages and wiring use. */
export * as schedules from './change-schedules.ts';
export type { ScheduleDeps } from './change-schedules.ts';
export type { Schedule, ScheduleFiles } from './schedule.ts';
export { scheduleKind } from './schedule-kind.ts';
export { ScheduleSchema, presentSchedule } from './schedule-schema.ts';
export { deleteSchedulesOf, selectSchedules } from './schedule-store.ts';
export * as scheduleMails from './schedule-mail-store.ts';
export { registerScheduleMetrics, scheduleWork } from './schedule-work.ts';
