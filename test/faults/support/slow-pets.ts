/** Statements that make the migrations take three seconds in their middle. */
export const SLOW_PETS = `
  CREATE FUNCTION sleep_at_pets() RETURNS event_trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT 1 FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.pets') THEN
      PERFORM pg_sleep(3);
    END IF;
  END $$;
  CREATE EVENT TRIGGER sleep_at_pets ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
    EXECUTE FUNCTION sleep_at_pets();`;
