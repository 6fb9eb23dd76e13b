// The features of the service: each line exports a Nest module. The order of the lines is the order of routes and of records.
export { PetsModule } from './pets/pets.module';
