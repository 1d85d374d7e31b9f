-- Where a part can be worked on; nothing where anywhere.
ALTER TABLE parts ADD COLUMN site TEXT;
