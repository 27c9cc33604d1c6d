// What every value class of the engine extends, so that one test tells the engine's own objects from data.

export abstract class CelObject {}
